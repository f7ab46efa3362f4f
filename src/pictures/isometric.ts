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

/** Rounds a length of a picture to a tenth. */
export function round(length: number): number {
  return Math.round(length * 10) / 10;
}
