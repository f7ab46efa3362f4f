import { site } from '../site.ts';
import { stencil } from './lettering.tsx';

/** The name of the product, painted on the ground of the yard and half hidden. */
export async function drawGround() {
  return (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 230">
      <path className="asphalt" d={await stencil(site.name, 270, 1000)} />
    </svg>
  );
}
