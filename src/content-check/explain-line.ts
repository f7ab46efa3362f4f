export const shape = 'A field is a name, a colon, a space and its words, all in one line.';
export const listShape = 'Begin every line of a list with two spaces, a hyphen and a space.';

/** Explains why a line of the fields cannot be read. */
export function explainLine(line: string): string {
  if (/^ *\t/.test(line)) return 'There is a tab at the beginning of the line. Use spaces.';
  if (/^\s*([*•·–—+])\s/.test(line)) return listShape;
  if (/^-\s+\w+:\s/.test(line))
    return 'The name of a field begins at the left edge. Remove the hyphen before it.';
  if (/^\w+:\u00A0/.test(line))
    return 'The space after the colon is not a plain one. Delete it, and type a space.';
  if (/^\s*-[^\s-]/.test(line)) return 'A space belongs after the hyphen: "- Coders".';
  if (/^\s*[\w-]+\s*[=：]/.test(line)) return `There is another sign where the colon belongs. ${shape}`;
  if (/^\s*\w+:[^\s]/.test(line)) return 'A space belongs after the colon.';
  const [, name, value = ''] = /^\s*(?:(\w+)\s*:|-)\s+(.*)$/.exec(line.trimEnd()) ?? [];
  const say = (problem: string) => `${problem} Put the words in quotes: ${name ? `${name}:` : '-'} "…".`;
  if (/^['"]/.test(value)) {
    return 'A quote is opened and not closed, or closed too early. Words with an apostrophe go into "double quotes", words with double quotes into \'single quotes\'.';
  }
  if (/^[“”„‘’]/.test(value)) return say('Curly quotes do not work here.');
  const [sign] = /^[[\]{}@`%*&!|>?,#-]/.exec(value) ?? [];
  if (sign) return say(`The words begin with ${sign}, which means something else there.`);
  if (/:(\s|$)/.test(value)) return say('There is a second colon in the line.');
  if (/\s#/.test(value)) return say('A # after a space hides the rest of the line.');
  if (/^\s+\w+:\s/.test(line))
    return 'The name of a field begins at the left edge. Remove the spaces before it.';
  if (/^\s*-\s/.test(line)) return listShape;
  if (/^\s+[^:]*$/.test(line)) return `This line belongs to no field. ${listShape}`;
  if (!/:(\s|$)/.test(line)) return `This line is not a field. ${shape}`;
  return `This line cannot be read. ${shape} Put words that contain signs in "double quotes".`;
}
