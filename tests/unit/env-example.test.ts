import { expect, it } from 'vitest';
import { groups, listVariables, variables } from '../../shared/variables.ts';

const names = listVariables('owner');

/** Writes `.env.example` from the table. */
function writeExample(): string {
  const titles = Object.entries(groups).map(([group, title]) => {
    const own = names.filter((name) => variables[name].group === group);
    const entries = own.map((name) => {
      const { hint, source, isOptional } = variables[name];
      // A comment, because some programs refuse an empty value.
      return `# ${hint.charAt(0).toUpperCase()}${hint.slice(1)}.\n# ${source}\n${isOptional ? '# Optional: to set it, remove the # before its name.\n# ' : ''}${name}=''\n`;
    });
    return `\n# --- ${title} ---\n\n${entries.join('\n')}`;
  });
  return `# Copy this file to .env and fill it in, each value between its quotes. Then: ./waitlist deploy --dry-run\n${titles.join('')}`;
}

it('.env.example has every value of the table, with what it is and where to find it (npm run test:unit -- -u writes it)', async () => {
  const text = writeExample();
  await expect(text).toMatchFileSnapshot('../../.env.example');
});
