import { intro, isCancel, log, password, text } from '@clack/prompts';
import { groups, listVariables, readVariable, type Values, type VariableName } from '../ground/variables.ts';
import { findOwnFault } from './faults.ts';

/** Asks for every value; `undefined` when the person cancels. */
export async function interview(current: Values): Promise<Values | undefined> {
  intro('Set up a deployment');
  log.message(
    'If you do not have a value yet, leave it empty and run this again later. Ctrl-C stops without writing anything.',
  );
  const values = { ...current };
  for (const [group, title] of Object.entries(groups)) {
    log.step(title);
    for (const name of listVariables('owner').filter((each) => readVariable(each).group === group)) {
      const answer = await ask(name, current[name]);
      if (answer === undefined) return undefined;
      if (answer || current[name]) values[name] = answer;
    }
  }
  return values;
}

/** Asks for one value; `''` for an empty answer, `undefined` when the person cancels. */
async function ask(name: VariableName, current = ''): Promise<string | undefined> {
  const { hint, source = '', isOptional, isSecret } = readVariable(name);
  const validate = (typed = '') => {
    const fault = typed.trim() ? findOwnFault(name, typed.trim()) : undefined;
    return fault && `${fault.hint.charAt(0).toUpperCase()}${fault.hint.slice(1)}.`;
  };
  log.message(`${name}: ${hint}. ${isOptional ? 'Optional. ' : ''}${source}`, { symbol: '·' });
  const answer = isSecret
    ? await password({ message: current ? `${name} (empty keeps the current one)` : name, validate })
    : await text({ message: name, initialValue: current, validate });
  if (isCancel(answer)) return undefined;
  return (answer ?? '').trim() || (isSecret ? current : '');
}
