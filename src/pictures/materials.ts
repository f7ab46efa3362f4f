import { readToken as token } from '../styles/tokens.ts';

/** The style sheet of what pictures are made of. An SVG file cannot use that of the page, and its colors are those of the night. */
export const materials = `
.steel .top{fill:${token('steel-lit')};color:${token('steel')}}
.steel .left{fill:${token('steel')};color:${token('steel-dark')}}
.steel .right{fill:${token('steel-dark')};color:${token('void')}}
.lamp .top{fill:${token('lamp-pale')};color:${token('lamp-rim')}}
.lamp .left{fill:${token('lamp')};color:${token('lamp-deep')}}
.lamp .right{fill:${token('lamp-deep')};color:${token('lamp-dark')}}
.frame{fill:currentcolor}
.groove{fill:none;stroke:currentcolor;stroke-width:5}
.shadow use{opacity:0.03;stroke:${token('void')};stroke-linejoin:round}
.mark{fill:none;stroke:${token('lamp')}}
.lamp .mark{stroke:${token('on-lamp')}}
.ring{fill:none;stroke:${token('lamp')};stroke-width:2}
.glow{fill:${token('lamp')}}
.ink{fill:${token('void')}}
.paper{fill:${token('paper')}}
`;
