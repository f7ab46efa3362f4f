import { expect, it } from 'vitest';
import { listVariables, variables } from '../../shared/variables.ts';

/** Writes `.env.example` from the table. */
function writeExample(): string {
  const entries = listVariables('owner').map((name) => {
    const { heading, hint, source, isOptional } = variables[name];
    const title = heading ? `# --- ${heading} ---\n\n` : '';
    // A comment, because some programs refuse an empty value.
    return `\n${title}# ${hint.charAt(0).toUpperCase()}${hint.slice(1)}.\n# ${source}\n${isOptional ? '# Optional: to set it, remove the # before its name.\n# ' : ''}${name}=''\n`;
  });
  return `# Copy this file to .env and fill it in, each value between its quotes. Then: ./waitlist deploy --dry-run\n${entries.join('')}`;
}

it('.env.example has every value of the table, with what it is and where to find it (npm run test:unit -- -u writes it)', async () => {
  await expect(writeExample()).toMatchFileSnapshot('../../.env.example');
});
