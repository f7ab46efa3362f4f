/** Makes a page reload when the development server says so. */
export const reload = '<script type="module" src="/@vite/client"></script>';

/** Draws a page that only the development server shows. The title is plain words, the body HTML. */
export function drawDevelopmentPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="dark light" />
    <title>${title}</title>
    ${reload}
  </head>
  <body style="max-width: 60rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.6 sans-serif">
    <h1>${title}</h1>
    ${body}
  </body>
</html>
`;
}
