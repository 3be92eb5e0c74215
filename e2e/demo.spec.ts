import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { freePort } from '#server/test/running-portal.ts';
import { demoUsers } from '#shared/demo/organizations.ts';

/** `npm run demo` as a person starts it, with data and port of its own. */
base(
  'INGEST-01 LIVE-01 the demo is alive within 60 s, silent, and alive again at the second start',
  async ({ browser }, { project }) => {
    base.skip(project.name !== 'desktop', 'once is enough');
    base.setTimeout(180_000);
    const dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-demo-'));
    const port = await freePort();
    const noTiles = 'http://127.0.0.1:9/{z}/{x}/{y}.png';
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: String(port),
      STREET_TILES_URL: noTiles,
      SATELLITE_TILES_URL: noTiles,
    };
    const context = await browser.newContext({ baseURL: `http://localhost:${port}` });
    const page = await context.newPage();
    const said: string[] = [];
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) said.push(message.text());
    });
    page.on('pageerror', (error) => said.push(String(error)));

    for (const start of ['first', 'second']) {
      const demo = spawn(process.execPath, ['werkstroom.js', 'demo'], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let out = '';
      let errors = '';
      demo.stdout.on('data', (text) => {
        out += text;
      });
      demo.stderr.on('data', (text) => {
        errors += text;
      });
      const ended = new Promise<number | null>((done) => demo.once('close', done));
      await expect
        .poll(() => out, { timeout: 60_000, message: errors })
        .toContain('simulated loggers deliver');
      for (const { email, password } of demoUsers) {
        expect(out).toContain(email);
        expect(out).toContain(password);
      }
      if (start === 'first') {
        const [, planner] = demoUsers;
        await page.goto('/');
        await page.getByLabel('E-mailadres').fill(planner!.email);
        await page.getByLabel('Wachtwoord', { exact: true }).fill(planner!.password);
        await page.keyboard.press('Enter');
        // 30 days of history are being filled meanwhile, and the screen says so.
        const note = page.getByRole('status').filter({ hasText: 'Voorbeeldgeschiedenis' });
        await expect(note).toBeVisible({ timeout: 20_000 });
        await expect(page.getByRole('progressbar', { name: 'Voorbeeldgeschiedenis' })).toBeVisible();
      }
      // The fleet, of which one logger is silent since yesterday and some machines are at work at any hour.
      const markers = page.locator('[data-status][data-stale]');
      await expect.poll(() => markers.count(), { timeout: 20_000 }).toBeGreaterThanOrEqual(24);
      await page.getByRole('button', { name: 'Machines', exact: true }).click();
      const rows = page.getByRole('navigation', { name: 'Machines' }).getByRole('link');
      await expect(rows.first()).toContainText('Draait');
      await expect(page.locator('[role=button][data-stale=true]')).toHaveCount(1);
      await page.keyboard.press('Escape');
      if (start === 'first') expect(said).toEqual([]);
      said.length = 0;

      demo.kill('SIGINT');
      expect(await ended).toBe(0);
      // No warning and no error in the terminal.
      expect(errors).toBe('');
      expect(out.split('\n').filter((line) => /"level":[456]0/.test(line))).toEqual([]);
    }
    await context.close();
    await rm(dataDir, { recursive: true, force: true });
  },
);
