import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync } from 'node:fs';
import { Command } from 'commander';
import { groups, listVariables, readVariable, type VariableName } from '../../shared/variables.ts';
import { checkValues } from './check-values.ts';
import { envFile, readEnvText, readValues } from './values.ts';

new Command('setup')
  .description(
    'Adds every value that a deployment needs to the file .env, with what it is and where to find it, and checks what you have filled in. You can run it again: it changes none of your lines.',
  )
  .parse();

const text = readEnvText();
const needsSecret = !readValues({}).TOKEN_SECRET;
const added = listVariables('owner').filter((name) =>
  name === 'TOKEN_SECRET' ? needsSecret : !new RegExp(`^[ \\t#]*(export )?${name}[ \\t]*=`, 'm').test(text),
);
const titles = Object.entries(groups).flatMap(([group, title]) => {
  const names = added.filter((name) => readVariable(name).group === group);
  return names.length > 0 ? [`\n# ${title}\n`, ...names.map(writeLines)] : [];
});
appendFileSync(envFile, (text.endsWith('\n') || !text ? '' : '\n') + titles.join(''), { mode: 0o600 });
chmodSync(envFile, 0o600);
if (added.length > 0)
  console.log(
    `Fill in the values in ${envFile}, each between its quotes. Only you can read it, and git ignores it.`,
  );
if (needsSecret)
  console.log(
    'TOKEN_SECRET is new. Keep a copy of it.\nIf the site is already live, STOP: put its current one into .env. With the new one, addresses that must never get mail again are not recognized, and the unsubscribe links of later announcements do not work.',
  );

const { obstacles, remark } = await checkValues(readValues({}));
if (obstacles > 0) {
  console.log(`\nThen run this again.${remark}`);
  process.exitCode = 1;
} else {
  console.log(`\nNothing is missing.${remark}\nNext: npm run deploy -- --dry-run (docs/deploy.md, step 7).`);
}

/** Writes what a value is, and a line to fill in. An optional one is a comment, because some programs refuse an empty value. */
function writeLines(name: VariableName): string {
  const { hint, source, isOptional } = readVariable(name);
  const value = name === 'TOKEN_SECRET' ? randomBytes(32).toString('base64url') : '';
  const optional = 'Optional: to set it, remove the # before its name. ';
  return `# ${hint}. ${isOptional ? optional : ''}${source}\n${isOptional ? '# ' : ''}${name}='${value}'\n`;
}
