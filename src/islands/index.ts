// Islands and their renderer are one module, so that one request fetches all that an island needs.
export { default as AccordionIsland } from './Accordion';
export { default as ModalIsland } from './Modal';
export { default as WaitlistFormIsland } from './WaitlistForm';
export { default } from '@astrojs/react/client.js';
