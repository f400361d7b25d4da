import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { Pool, type PoolOptions } from '#server/pdf/pool.ts'
import { closePdf, renderPdf } from '#server/pdf/render.ts'
import { furniture, large, picture } from './samples.ts'

const template = (name: string) => fileURLToPath(new URL(`./templates/${name}.typ`, import.meta.url))
const data = JSON.stringify({ title: 'A title', lang: 'en-GB' })
const options: PoolOptions = { workers: 1, queue: 2, queueEach: 2, timeoutMs: 20_000, idleMs: 20_000, memory: 2 ** 30 }

afterAll(closePdf)

describe('renderPdf refuses', () => {
  const job = { template: template('plain'), data: {}, title: 'A title' }
  test.each([
    ['a document without a title', { ...job, title: ' ' }, /plain\.typ: the document has no title/],
    ['a template that is nowhere', { ...job, template: '/nowhere/some.typ' }, /some\.typ: /],
    ['a relative path', { ...job, template: 'plain.typ' }, /absolute path/],
    ['a value that is missing', { ...job, template: template('wants-more') }, /wants-more\.typ: .*"more"/],
    ['a picture in a template without alternative text', { ...job, template: template('no-alt') }, /alt/],
    ['a picture in the data without it', { ...job, data: { p: { base64: picture(1) } } }, /no alternative text/],
    ['a picture that is none', { ...job, data: { p: { base64: 'PHN2Zz4=', alt: 'x' } } }, /neither PNG/],
    ['more than a document may hold', { ...job, data: { p: 'x'.repeat(49e6) } }, /more than a document may hold/],
  ])('%s', async (_, wrong, reason) => {
    await expect(renderPdf(wrong)).rejects.toThrow(reason)
  })

  test('but not a layout whose tags the compiler tangles: that is tagged all the same', async () => {
    const file = (await renderPdf({ ...job, template: template('tangled') })).toString('latin1')
    expect(file).toMatch(/\/StructTreeRoot \d+ 0 R/)
    expect(file).not.toContain('pdfuaid')
  })

  test('and makes the next one all the same', async () => {
    expect((await renderPdf(job)).toString('latin1', 0, 5)).toBe('%PDF-')
  })
})

describe('a pool', () => {
  let pool: Pool
  const make = (more: Partial<PoolOptions> = {}) => {
    pool = new Pool({ ...options, ...more })
    return pool
  }
  const good = () => pool.render({ template: template('plain'), data })
  afterEach(() => pool.close())

  test('starts nobody before there is work', () => expect(make().size).toBe(0))

  test('ends a worker that takes too long, and goes on with another', async () => {
    make({ timeoutMs: 6000 })
    const slow = pool.render({ template: template('endless'), data })
    const next = good()
    await expect(slow).rejects.toThrow('longer than 6 seconds')
    expect((await next).length).toBeGreaterThan(1000)
    expect(pool.size).toBe(1)
  })

  test('serves those first who have least under way, and lets nobody fill the queue', async () => {
    make({ queue: 10, queueEach: 3 })
    const done: string[] = []
    const ask = (whose: string) =>
      pool.render({ template: template('plain'), data }, whose).then(
        () => done.push(whose),
        () => done.push(`${whose} refused`),
      )
    await Promise.all([...Array.from({ length: 5 }, () => ask('many')), ask('one')])
    expect(done).toEqual(['many refused', 'many', 'one', 'many', 'many', 'many'])
  })

  test('refuses what is too much to wait for', async () => {
    make()
    const accepted = [good(), good(), good()]
    await expect(good()).rejects.toThrow('waiting already')
    expect(await Promise.all(accepted)).toHaveLength(3)
  })

  test('shares work among no more processes than it may have', async () => {
    make({ workers: 2, queue: 20, queueEach: 20 })
    const all = Array.from({ length: 8 }, good)
    expect(pool.size).toBe(2)
    expect(new Set((await Promise.all(all)).map(String)).size).toBe(1)
  })

  test('lets a worker go that has nothing to do', async () => {
    make({ idleMs: 20 })
    await good()
    await vi.waitFor(() => expect(pool.size).toBe(0), { timeout: 10_000 })
    expect((await good()).length).toBeGreaterThan(1000)
  })

  test('lets a worker go that holds too much memory', async () => {
    make({ memory: 1 })
    await good()
    expect(pool.size).toBe(0)
  })

  test('leaves this thread free meanwhile', async () => {
    make()
    let turns = 0
    let done = false
    const turn = () => {
      turns++
      if (!done) setImmediate(turn)
    }
    turn()
    const template = fileURLToPath(new URL('../../src/rooms/safety/risk/risk-assessment.typ', import.meta.url))
    const whole = {
      title: 'A title',
      lang: 'en-GB',
      furniture: { ...furniture, brand: { name: 'x' } },
      body: { ...large, images: [] },
    }
    await pool.render({ template, data: JSON.stringify(whole) })
    done = true
    expect(turns).toBeGreaterThan(100)
  })

  test('fails what is under way and what waits when it closes', async () => {
    make()
    const both = Promise.allSettled([pool.render({ template: template('endless'), data }), good()])
    await pool.close()
    expect((await both).map((r) => r.status)).toEqual(['rejected', 'rejected'])
    await expect(good()).rejects.toThrow('closing')
  })
})
