import { intro, isCancel, log, note, password, text } from '@clack/prompts';
import { formatMailRecords, readDomain } from './mail-records.ts';
import { findFault } from './obstacles.ts';
import { findNameFault } from './product-name.ts';
import { chapters, describeVariable, type VariableName, variableNames, type Values } from './variables.ts';

export interface Answers {
  name: string;
  values: Values;
}

/** Asks a person for all that set-up needs; `undefined` when the person stops. Old answers stand until replaced. */
export async function interview(current: Answers): Promise<Answers | undefined> {
  intro('Set up a deployment');
  log.message(
    'Leave empty what is not at hand: this command can be run again. Ctrl-C stops it, and nothing is written.',
  );
  const name = await text({
    message: 'Name of the product',
    initialValue: current.name,
    validate: (value = '') => findNameFault(value.trim()),
  });
  if (isCancel(name)) return undefined;
  const values: Values = { ...current.values };
  for (const [chapter, title] of Object.entries(chapters)) {
    log.step(title);
    for (const variable of variableNames) {
      const { chapter: itsChapter, isAsked } = describeVariable(variable);
      if (itsChapter !== chapter || !isAsked) continue;
      const answer = await ask(variable, values[variable]);
      if (answer === undefined) return undefined;
      if (answer) values[variable] = answer;
      if (variable === 'PUBLIC_EMAIL_SENDER' && answer) showMailRecords(answer);
    }
  }
  return { name: name.trim(), values };
}

/** Asks for one value; `''` when it is left open, `undefined` when the person stops. */
async function ask(variable: VariableName, current: string | undefined): Promise<string | undefined> {
  const { label, source, isSecret } = describeVariable(variable);
  const validate = (value: string | undefined) => explain(variable, value?.trim());
  log.message(source, { symbol: '·' });
  const answer = await (isSecret
    ? password({ message: current ? `${label} (empty keeps the one that is there)` : label, validate })
    : text({ message: label, ...(current && { initialValue: current }), validate }));
  return isCancel(answer) ? undefined : (answer ?? '').trim();
}

function explain(variable: VariableName, value: string | undefined): string | undefined {
  const fault = value ? findFault(variable, value) : undefined;
  return fault
    ?.replace(/^\w+ (?:is malformed: )?(\w)/, (_, letter: string) => letter.toUpperCase())
    .replace(/^\w+ \((.*?)\) is/, '$1 is');
}

function showMailRecords(sender: string): void {
  const domain = readDomain(sender);
  const lines = formatMailRecords(domain);
  const advice = `Add ${domain} under Domains at Resend, and copy what is shown there: it may have other types and names.`;
  note([...lines, '', advice].join('\n'), 'The DNS of the domain needs these records');
}
