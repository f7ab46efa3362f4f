/** A position or a size in the yard: along the right-hand street, along the left-hand street, and up. */
export type Triple = readonly [x: number, y: number, z: number];

export type Side = 'top' | 'left' | 'right';

/** How many units of a picture one unit of the yard is long. */
export const unit = 40;

const cos = 0.866;
const sin = 0.5;

/** Projects a position in the yard onto the picture: isometric, with x to the lower right and y to the lower left. */
export function project([x, y, z]: Triple): [number, number] {
  return [round((x - y) * cos * unit), round((x + y) * sin * unit - z * unit)];
}

/** The `transform` that puts a flat drawing onto a face of a block. The origin of the drawing is its upper left corner. */
export function face(side: Side, [x, y, z]: Triple, [width, depth, height]: Triple): string {
  const origins: Record<Side, Triple> = {
    top: [x, y, z + height],
    left: [x, y + depth, z + height],
    right: [x + width, y + depth, z + height],
  };
  const axes = {
    top: [cos, sin, -cos, sin],
    left: [cos, sin, 0, 1],
    right: [cos, -sin, 0, 1],
  };
  return `matrix(${[...axes[side], ...project(origins[side])].join(' ')})`;
}

/** The outline of a face in the picture, or of what a frame of this width leaves of it. */
export function outline(side: Side, [x, y, z]: Triple, [width, depth, height]: Triple, frame = 0): string {
  const rim = frame / unit;
  const [left, right] = [x + rim, x + width - rim];
  const [back, front] = [y + rim, y + depth - rim];
  const [foot, head] = [z + rim, z + height - rim];
  const corners: Record<Side, Triple[]> = {
    top: around([left, back], [right, front]).map(([x, y]) => [x, y, z + height]),
    left: around([left, head], [right, foot]).map(([x, z]) => [x, y + depth, z]),
    right: around([front, head], [back, foot]).map(([y, z]) => [x + width, y, z]),
  };
  return toPath(corners[side]);
}

/** The outline of a whole block in the picture. */
export function silhouette([x, y, z]: Triple, [width, depth, height]: Triple): string {
  const [right, front, head] = [x + width, y + depth, z + height];
  return toPath([
    [x, y, head],
    [right, y, head],
    [right, y, z],
    [right, front, z],
    [x, front, z],
    [x, front, head],
  ]);
}

/** The corners of a rectangle, from two that are opposite. */
function around([left, top]: [number, number], [right, bottom]: [number, number]): [number, number][] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

function toPath(corners: Triple[]): string {
  return `M${corners.map((corner) => project(corner).join(' ')).join('L')}z`;
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
