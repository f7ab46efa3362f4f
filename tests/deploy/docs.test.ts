import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listMailRecords } from '../../deploy/mail-records.ts';
import { planDeployment } from '../../deploy/steps.ts';
import { describeVariable, variableNames } from '../../deploy/variables.ts';
import { completeValues } from './project.ts';

const root = resolve(import.meta.dirname, '../..');
// The formatter pads the cells of tables.
const docs = readFileSync(join(root, 'docs/deploy.md'), 'utf8')
  .replace(/ +\|/g, ' |')
  .replace(/-+ \|/g, '- |');
const code = [...docs.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

/** The first cells of the rows of a table, which is found by its first line. */
function firstCells(heading: string): string[] {
  const [, rest = ''] = docs.split(heading);
  const rows = rest.split('\n\n')[0]?.split('\n').slice(2) ?? [];
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, cell = '']) => cell),
  );
}

describe('docs/deploy.md', () => {
  it('lists every value that a deployment is made of, and no other', () => {
    expect(firstCells('| value | what it is |').toSorted()).toEqual(variableNames.toSorted());
  });

  it('tells which values set-up does not ask for', () => {
    const [, list = ''] = /Set-up does not ask for ([^:]+):/.exec(docs) ?? [];
    const named = [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    const open = variableNames.filter((name) => !describeVariable(name).isAsked);
    expect(named.toSorted()).toEqual(open.toSorted());
  });

  it('names only values that there are', () => {
    const others = ['CLOUDFLARE_', 'PUBLIC_', 'NODE_VERSION', 'PRODUCT_NAME', 'DMARC1'];
    const names = code.filter((text) => /^[A-Z][A-Z\d_]+$/.test(text) && !others.includes(text));
    expect(names.filter((name) => !variableNames.some((variable) => variable === name))).toEqual([]);
  });

  it('names what is to be replaced in src/site.ts, and it is there', () => {
    const [, step = ''] = /## 1\.([^]*?)## 2\./.exec(docs) ?? [];
    const facts = readFileSync(join(root, 'src/site.ts'), 'utf8');
    for (const name of [
      'link',
      'alternative',
      'copyrightYear',
      'legalTextsUpdated',
      'footerSocial',
      'emailSocial',
    ]) {
      expect(step).toContain(`\`${name}\``);
      expect(facts).toMatch(new RegExp(`\\b${name}\\b`));
    }
  });

  it('lists the steps in their order', () => {
    expect(firstCells('| step | what it does |')).toEqual(
      planDeployment(completeValues).map(({ name }) => name),
    );
  });

  it('lists the workflows', () => {
    const workflows = firstCells('| workflow | when | what it does |');
    expect(workflows).toEqual(['check', 'deploy', 'probe']);
    for (const name of workflows) expect(existsSync(join(root, `.github/workflows/${name}.yml`))).toBe(true);
  });

  it('shows the DNS records that set-up looks for', () => {
    for (const { names, sample, type } of listMailRecords('your-domain')) {
      expect(docs).toMatch(new RegExp(`${type} \\| \`${names[0]}\` \\| \`${RegExp.escape(sample)}\``));
    }
  });

  it('runs only commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const commands = [...docs.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(5);
    for (const name of commands) expect(Object.keys(scripts)).toContain(name);
  });

  it('points at files that there are', () => {
    const files = code.filter((text) => /^[\w.-]+\/[\w./-]*$/.test(text) && !/^dist\//.test(text));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  });
});
