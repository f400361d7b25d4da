import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { processFolder, servePortal, startProgram } from './portal.ts'

describe('a portal on a PostgreSQL server', () => {
  test('a portal on a PostgreSQL server has no demo data, gets its first administrator from the command line, and can run several processes', async () => {
    const url = process.env.TEST_DATABASE_URL as string
    const name = `stanchion_durable_${process.pid}`
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(`CREATE DATABASE ${name}`)
    const env = {
      DATABASE_URL: Object.assign(new URL(url), { pathname: `/${name}` }).href,
      DATA_DIR: join(processFolder, 'unused'),
    }
    const roles = ['--roles', 'ROLE_STAFF,ROLE_USER_ADMIN']
    const make = (password: string) =>
      startProgram(['user', 'create', '--username', 'first', '--client', '0', ...roles, '--password', password], env)
    try {
      const weak = make('password1')
      expect([await weak.ended, weak.said.err.trim()]).toEqual([1, 'Please use at least 10 characters'])
      const made = make('harbour tin piano')
      expect([await made.ended, made.said.out.trim()]).toEqual([0, 'first can sign in to client 0.'])
      const twice = make('harbour tin piano')
      expect([await twice.ended, twice.said.err.trim()]).toEqual([1, 'Client 0 already has a user first.'])
      const demo = startProgram(['demo'], env)
      expect([await demo.ended, demo.said.err.trim()]).toEqual([
        1,
        'The demo data can’t be loaded into a database server.',
      ])

      const [one, two] = await Promise.all([servePortal(env), servePortal(env)])
      expect((await one.call('GET', '/api/portal/public')).body).toMatchObject({ demo: [], demoPassword: null })
      const known = { username: 'manager', password: 'Portal-demo-2026' }
      expect((await one.call('POST', '/api/security/login', known)).status).toBe(401)
      const { token, user } = await one.signIn('first', 'harbour tin piano')
      expect(user.roles).toEqual(['ROLE_STAFF', 'ROLE_USER_ADMIN'])
      const lead = (await one.call('POST', '/api/crm/contacts', { companyName: 'Acme' }, token)).body
      expect((await two.call('GET', lead['@id'], undefined, token)).body.companyName).toBe('Acme')
      expect((await two.call('GET', '/api/crm/contacts/count', undefined, token)).body.count).toBe(1)
      for (const s of [one, two]) s.child.kill('SIGINT')
      expect(await Promise.all([one.ended, two.ended])).toEqual([0, 0])
      // A movable clock marks the database as demo data, which cannot be served from a database server.
      const owner = new pg.Client({ connectionString: env.DATABASE_URL })
      await owner.connect()
      await owner.query('INSERT INTO clock DEFAULT VALUES')
      await owner.end()
      const refused = startProgram(['start'], { ...env, PORT: '0' })
      expect([await refused.ended, refused.said.err.trim()]).toEqual([
        1,
        'This database contains demo or test data, for which the portal’s clock can be changed. The portal can’t serve such data from a database server.',
      ])
      // Only data that must not be in the database is stored in the data folder.
      const kept = existsSync(env.DATA_DIR) ? readdirSync(env.DATA_DIR) : []
      expect(kept.filter((name) => name !== 'evidence')).toEqual([])
    } finally {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    }
  })
})
