import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { TestTask } from '#test/support/order-worker.ts'
import { MemoryLimitError, PoolBusyError, ProcessEndedError, TimeLimitError } from './failures.ts'
import { WorkerPool, type WorkerPoolOptions } from './pool.ts'

const program = new URL('../../../test/support/order-worker.ts', import.meta.url)
const MB = 2 ** 20
const options: WorkerPoolOptions = {
  program,
  workers: 1,
  each: 1,
  queue: 20,
  queueEach: 20,
  timeoutMs: 60_000,
  idleMs: 60_000,
  keeps: 1000 * MB,
  memory: 1000 * MB,
}

let pool: WorkerPool<TestTask, string>
const make = (more: Partial<WorkerPoolOptions> = {}) => {
  pool = new WorkerPool({ ...options, ...more })
  return pool
}
const ask = (text: string, whose?: string) => pool.ask({ do: 'answer', with: text }, whose)
afterEach(() => pool.close())

/** Generous timeout for a busy machine. */
const patient = { timeout: 20_000 }

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a worker process', () => {
  test('a worker is started by the first task and reused for the next ones', async () => {
    expect(make().processes).toEqual([])
    expect(await ask('a')).toBe('a')
    const [first] = pool.processes
    expect(await ask('b')).toBe('b')
    expect(pool.processes).toEqual([first])
  })

  test('a worker receives no environment variables, and returns its own error message', async () => {
    make()
    expect(await pool.ask({ do: 'say environment' })).toBe('')
    await expect(pool.ask({ do: 'fail' })).rejects.toThrow('a sentence of its own')
    expect(await ask('next')).toBe('next')
  })

  test('a worker that exceeds the time limit is terminated, even if it blocks its thread, and another worker takes over', async () => {
    make()
    const began = performance.now()
    await ask('first')
    await pool.close()
    // The limit is ten times as long as this machine needs to start a worker and receive a reply.
    make({ timeoutMs: Math.max(1000, 10 * (performance.now() - began)) })
    const slow = pool.ask({ do: 'spin', ms: 60_000 })
    const [first] = pool.processes
    const next = ask('next')
    await expect(slow).rejects.toThrow(TimeLimitError)
    expect(await next).toBe('next')
    expect(pool.processes).not.toContain(first)
    await vi.waitFor(() => expect(isAlive(first as number)).toBe(false), patient)
  })

  test('a task’s own time limit takes precedence over that of the pool', async () => {
    make({ timeoutMs: 60_000 })
    const slow = pool.ask({ do: 'spin', ms: 60_000 }, 'brick', { timeoutMs: 10 })
    await expect(slow).rejects.toThrow('it took longer than 0.01 seconds')
  })

  test('a worker that exceeds the memory limit is terminated, even if it blocks its thread', async () => {
    make({ memory: 250 * MB })
    await expect(pool.ask({ do: 'take', bytes: 300 * MB })).rejects.toThrow(MemoryLimitError)
    expect(await ask('next')).toBe('next')
  })

  test('a worker that ends unexpectedly is reported, and another worker takes over', async () => {
    make()
    const killed = pool.ask({ do: 'spin', ms: 60_000 })
    process.kill(pool.processes[0] as number, 'SIGKILL')
    await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' })
    const crashed = pool.ask({ do: 'crash' })
    await expect(crashed).rejects.toBeInstanceOf(ProcessEndedError)
    await expect(crashed).rejects.toMatchObject({ signal: 'SIGSEGV' })
    expect(await ask('next')).toBe('next')
  })

  test('a worker finishes its task even if all processes receive a termination signal', async () => {
    make()
    await ask('there')
    const order = pool.ask({ do: 'wait', ms: 300 })
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(pool.processes[0] as number, signal)
    expect(await order).toBe('waited')
  })

  test('a worker ends when it is idle or uses too much memory', async () => {
    make({ idleMs: 20 })
    await ask('a')
    await vi.waitFor(() => expect(pool.processes).toEqual([]), patient)
    expect(await ask('b')).toBe('b')
    await pool.close()
    make({ keeps: 1 })
    expect(await ask('a')).toBe('a')
    expect(pool.processes).toEqual([])
  })

  test.each(['wait', 'spin'] as const)('a worker ends when its parent ends, even during a task (%s)', async (way) => {
    make()
    const source = `
      import { WorkerPool } from '#server/processes/pool.ts'
      const pool = new WorkerPool({ ...${JSON.stringify(options)}, program: new URL('${program.href}') })
      await pool.ask({ do: 'answer', with: 'x' })
      void pool.ask({ do: '${way}', ms: 60_000 })
      process.stdout.write(String(pool.processes[0]))`
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = (await once(parent.stdout, 'data')) as [Buffer]
    const worker = Number(String(said))
    expect(isAlive(worker)).toBe(true)
    parent.kill('SIGKILL')
    await vi.waitFor(() => expect(isAlive(worker)).toBe(false), patient)
  })
})

describe('scheduling in a worker pool', () => {
  test('a worker pool first serves the client with the fewest running tasks, and no client can fill the queue', async () => {
    make({ queueEach: 3 })
    const done: string[] = []
    const note = (whose: string) =>
      ask('x', whose).then(
        () => done.push(whose),
        () => done.push(`${whose} refused`),
      )
    await Promise.all([...Array.from({ length: 5 }, () => note('many')), note('one')])
    expect(done).toEqual(['many refused', 'many', 'one', 'many', 'many', 'many'])
  })

  test('a worker pool rejects tasks if too many are queued in total', async () => {
    make({ queue: 2 })
    const accepted = [ask('a'), ask('b'), ask('c')]
    await expect(ask('d')).rejects.toThrow(PoolBusyError)
    expect(await Promise.all(accepted)).toEqual(['a', 'b', 'c'])
  })

  test('a busy client leaves a process of the worker pool free for other clients', async () => {
    make({ workers: 2 })
    const slow = pool.ask({ do: 'spin', ms: 60_000 }, 'many').catch((e: Error) => e.message)
    const behind = ask('behind', 'many').catch((e: Error) => e.message)
    expect(await ask('meanwhile', 'one')).toBe('meanwhile')
    expect(await ask('again', 'one')).toBe('again')
    expect(pool.processes).toHaveLength(2)
    await pool.close()
    expect(await Promise.all([slow, behind])).toEqual(['its process ended (SIGKILL)', 'the server is closing'])
  })

  test('a busy person leaves a process of the worker pool free for colleagues, and can’t fill their queue', async () => {
    make({ workers: 2, each: 2, person: { each: 1, queue: 1 } })
    const askAs = (person: string) => pool.ask({ do: 'answer', with: person }, 'brick', { person })
    const slow = pool.ask({ do: 'spin', ms: 60_000 }, 'brick', { person: 'ann' }).catch((e: Error) => e.message)
    const behind = askAs('ann').catch((e: Error) => e.message)
    await expect(askAs('ann')).rejects.toThrow(PoolBusyError)
    expect(await askAs('bob')).toBe('bob')
    await pool.close()
    expect(await Promise.all([slow, behind])).toEqual(['its process ended (SIGKILL)', 'the server is closing'])
  })

  test('a worker pool uses no more processes than its limit', async () => {
    make({ workers: 2, each: 2 })
    const all = Array.from({ length: 8 }, (_, n) => ask(String(n)))
    expect(pool.processes).toHaveLength(2)
    expect((await Promise.all(all)).join('')).toBe('01234567')
  })
})

test('closing a worker pool fails all running and queued tasks', async () => {
  make()
  const both = Promise.allSettled([pool.ask({ do: 'spin', ms: 60_000 }), ask('a')])
  const [worker] = pool.processes
  await pool.close()
  expect(isAlive(worker as number)).toBe(false)
  expect((await both).map((r) => r.status)).toEqual(['rejected', 'rejected'])
  await expect(ask('b')).rejects.toThrow('closing')
})
