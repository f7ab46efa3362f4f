import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { prepareDatabase } from '../../ops/stack/database.ts';
import { findFreePort } from '../../ops/stack/settings.ts';
import { RunningParts } from '../../ops/stack/running-parts.ts';
import { completeValues, Project } from './project.ts';
import { Services } from './services.ts';

/** The parts of pg_cron and pg_net that we use: jobs, by name. */
const cron = `
  create schema net;
  create schema cron;
  create table cron.job (jobname text primary key, schedule text, command text);
  create function cron.schedule(name text, schedule text, command text) returns void language sql as
    'insert into cron.job values ($1, $2, $3) on conflict (jobname) do update set command = $3'`;

const site = { 'index.html': '<p>Hello', _headers: '/*\n  X-Built: yes\n', _redirects: '/old /new 302\n' };

/** A project that the vendors' own CLIs deploy, with a site that is built already, a database and services on loopback. */
export class Deployments {
  readonly services = new Services();
  readonly project = new Project();
  #dataDir = mkdtempSync(join(tmpdir(), 'waitlist-deployment-'));
  #parts = new RunningParts(this.#dataDir);
  #databaseUrl = '';
  #program = this.project.read('ops/commands/deploy.ts');

  async start(): Promise<void> {
    const port = await findFreePort();
    await this.#parts.start(prepareDatabase(this.#dataDir, port));
    this.#databaseUrl = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
    await this.query(cron);
    await this.services.start();
    // The placeholder links would stop a deployment.
    this.project.edit('src/config/site.ts', /\.example\//g, '.test/');
    const { url } = this.services;
    const urls = { api_url: url, dashboard_url: url, docs_url: url };
    const profile = { name: 'loopback', project_host: 'a.test', ...urls };
    this.project.write('profile.yaml', JSON.stringify(profile));
    // A build takes longer than all other steps together. tests/pages is about builds.
    this.project.edit('ops/deploy/steps.ts', "args: [astroCommand, 'build']", "args: ['--eval', '']");
    for (const [file, text] of Object.entries(site)) this.project.write(`dist/${file}`, text);
  }

  /** Deploys with complete values and some changes; with `step`, only this step. */
  deploy(changes: Record<string, string> = {}, args: string[] = [], step = '') {
    const plan = '= planDeployment(values)';
    const filter = step && `.filter(({ name }) => name === '${step}')`;
    this.project.write('ops/commands/deploy.ts', this.#program);
    this.project.edit('ops/commands/deploy.ts', plan, plan + filter);
    return this.project.run('ops/waitlist.ts', ['deploy', ...args], {
      ...completeValues,
      SUPABASE_DB_URL: `${this.#databaseUrl.replace(':postgres@', ':[YOUR-PASSWORD]@')}?sslmode=disable`,
      SUPABASE_PROFILE: join(this.project.folder, 'profile.yaml'),
      CLOUDFLARE_API_BASE_URL: this.services.url,
      SERVICES_URL: this.services.url,
      CI: '1',
      ...changes,
    });
  }

  /** Runs statements on one connection of the database of the deployment. Resolves to the rows of the last one. */
  async query(...texts: string[]): Promise<postgres.Row[]> {
    const sql = postgres(this.#databaseUrl, { max: 1, onnotice: () => {} });
    const results = await Promise.all(texts.map((text) => sql.unsafe(text))).finally(() => sql.end());
    return results.at(-1)!;
  }

  async remove(): Promise<void> {
    await this.services.stop();
    await this.#parts.stop();
    this.project.remove();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}
