import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { ApiError } from '../../api/client.ts'
import { type DraftStore, type FormDraft, removeSavedValues } from '../../offline/drafts.ts'
import { formatPath, replaceValueAt, valueAt } from '../store/path.ts'
import { createAutosave } from './autosave.ts'
import { createFormStore } from './store.ts'
import { mergeFieldValues } from './versions.ts'

const FIELD_NAMES = ['a', 'b', 'c']
const schema: FormSchema = {
  title: 'Form',
  steps: [
    { name: 'one', title: 'One', groups: [{ fields: FIELD_NAMES.map((n) => ({ name: n, kind: 'text', label: n })) }] },
  ],
}

/** Creates a simulated record that rejects outdated ETags, as the API does. */
function world(record: Values) {
  const sent: Values[] = []
  let now = record
  let version = 1
  let down: ApiError | undefined
  return {
    sent,
    fail: (error: ApiError | undefined) => {
      down = error
    },
    elsewhere: (change: Values) => {
      now = { ...now, ...change }
      version++
    },
    record: () => now,
    etag: () => String(version),
    load: async () => ({ record: now, etag: String(version) }),
    save: async (changes: Values, etag: string | null) => {
      if (down) throw down
      if (etag !== String(version)) throw new ApiError(412, 'Updated')
      sent.push(changes)
      now = { ...now, ...changes }
      version++
      return { record: now, etag: String(version) }
    },
  }
}

function box(start: FormDraft = {}): DraftStore & { held: () => FormDraft } {
  let held = start
  return {
    held: () => held,
    read: async () => held,
    write: async (_, fields) => {
      held = { ...held, ...fields }
    },
    writeNow: (_, fields) => {
      held = { ...held, ...fields }
    },
    remove: async (_, saved) => {
      held = removeSavedValues(held, saved)
    },
  }
}

function open(server: ReturnType<typeof world>, drafts = box()) {
  const opened = { record: server.record(), etag: server.etag() }
  const store = createFormStore(schema, opened.record)
  const autosave = createAutosave({ store, key: 'k', opened, save: server.save, load: server.load, drafts })
  const stop = autosave.start()
  return { store, autosave, drafts, stop }
}

describe('autosave', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('a form opened from an outdated copy adopts newer server values and retains unsaved input', async () => {
    const server = world({ a: 'old', b: 'old' })
    const { store, autosave } = open(server)
    server.fail(new ApiError(0, 'lost'))
    store.set(['a'], 'mine')
    await autosave.flush()
    server.elsewhere({ b: 'theirs' })
    server.fail(undefined)
    await autosave.reread(await server.load())
    expect(store.values()).toMatchObject({ a: 'mine', b: 'theirs' })
    expect(await autosave.flush()).toBe(true)
    expect(server.record()).toMatchObject({ a: 'mine', b: 'theirs' })
    expect(server.sent).toEqual([{ a: 'mine' }])
  })

  it('autosave ignores a response that is older than the last save', async () => {
    const server = world({ a: 'old' })
    const { store, autosave } = open(server)
    server.elsewhere({ b: 'theirs' })
    const late = await server.load()
    store.set(['a'], 'mine')
    await autosave.flush()
    await autosave.reread(late)
    expect(store.values()).toMatchObject({ a: 'mine', b: 'theirs' })
    expect(autosave.state()).toMatchObject({ kind: 'saved' })
  })

  it('autosave sends changed fields within two seconds, even if the user continues typing', async () => {
    const server = world({ a: '1', b: '2' })
    const { store, autosave, drafts, stop } = open(server)
    for (let i = 0; i < 10; i++) {
      store.set(['a'], `typed ${i}`)
      await vi.advanceTimersByTimeAsync(200)
    }
    expect(server.sent[0]).toHaveProperty('a')
    expect(server.sent[0]).not.toHaveProperty('b')
    await vi.advanceTimersByTimeAsync(2000)
    expect(server.record()).toEqual({ a: 'typed 9', b: '2' })
    expect(autosave.state().kind).toBe('saved')
    expect(drafts.held()).toEqual({})
    stop()
  })

  it('autosave stores a draft while offline and sends it once online', async () => {
    const server = world({ a: '1' })
    const { store, autosave, drafts, stop } = open(server)
    server.fail(new ApiError(0, 'Lost'))
    store.set(['a'], 'offline')
    await vi.advanceTimersByTimeAsync(2000)
    expect(autosave.state()).toEqual({ kind: 'offline' })
    expect(drafts.held().a).toMatchObject({ value: 'offline', base: '1' })
    server.fail(undefined)
    await vi.advanceTimersByTimeAsync(5000)
    expect(server.record()).toEqual({ a: 'offline' })
    expect(drafts.held()).toEqual({})
    stop()
  })

  it('autosave restores unsent input as a draft that can be discarded', async () => {
    const server = world({ a: '1', b: '2' })
    const { store, autosave, stop } = open(server, box({ a: { value: 'typed', base: '1', at: 5 } }))
    await vi.advanceTimersByTimeAsync(0)
    expect(store.get(['a'])).toBe('typed')
    expect(autosave.restored()).toEqual({ at: 5, names: ['a'] })
    await vi.advanceTimersByTimeAsync(2000)
    expect(server.record().a).toBe('typed')
    autosave.discard()
    await vi.advanceTimersByTimeAsync(2000)
    expect(server.record().a).toBe('1')
    stop()
  })

  it('if a draft conflicts with a newer version, autosave asks which value to save', async () => {
    const server = world({ a: 'newer', b: '2' })
    const { store, autosave, stop } = open(server, box({ a: { value: 'typed', base: '1', at: 5 } }))
    await vi.advanceTimersByTimeAsync(0)
    expect(autosave.state()).toEqual({ kind: 'conflict', fields: [{ name: 'a', mine: 'typed', theirs: 'newer' }] })
    autosave.resolve(['a'])
    await vi.advanceTimersByTimeAsync(2000)
    expect(store.get(['a'])).toBe('newer')
    expect(autosave.state().kind).toBe('saved')
    expect(server.sent).toEqual([])
    stop()
  })

  it("autosave merges another user's changes to other fields, and reports a conflict for the same field", async () => {
    const server = world({ a: '1', b: '2', c: '3' })
    const { store, autosave, stop } = open(server)
    server.elsewhere({ b: 'theirs' })
    store.set(['a'], 'mine')
    await vi.advanceTimersByTimeAsync(2000)
    expect(server.record()).toEqual({ a: 'mine', b: 'theirs', c: '3' })
    expect(store.get(['b'])).toBe('theirs')

    server.elsewhere({ a: 'theirs' })
    store.set(['a'], 'mine again')
    await vi.advanceTimersByTimeAsync(2000)
    expect(autosave.state()).toEqual({
      kind: 'conflict',
      fields: [{ name: 'a', mine: 'mine again', theirs: 'theirs' }],
    })
    store.set(['c'], 'typed meanwhile')
    await vi.advanceTimersByTimeAsync(2000)
    expect(server.record().a).toBe('theirs')
    autosave.resolve([])
    await vi.advanceTimersByTimeAsync(2000)
    expect(server.record()).toEqual({ a: 'mine again', b: 'theirs', c: 'typed meanwhile' })
    stop()
  })

  it('a conflict states who saved the other version and when, also for a restored draft', async () => {
    const server = world({ a: 'old', b: 'old', lastEditBy: 'ann', updatedAt: '2026-03-01T09:00:00Z' })
    const first = open(server)
    first.store.set(['a'], 'typed')
    server.elsewhere({ a: 'newer', lastEditBy: 'jane', updatedAt: '2026-03-01T14:05:00Z' })
    await first.autosave.flush()
    const jane = { by: 'jane', at: '2026-03-01T14:05:00Z' }
    expect(first.autosave.state()).toMatchObject({ kind: 'conflict', saved: jane })
    const draft = box({ a: { value: 'restored', base: 'older', at: 1 } })
    const restored = open(server, draft)
    await vi.waitFor(() => expect(restored.autosave.state()).toMatchObject({ kind: 'conflict', saved: jane }))
    for (const { stop } of [first, restored]) stop()
  })

  it('autosave shows values saved in another tab, and reports a conflict if both tabs changed the same field', async () => {
    const server = world({ a: '1', b: '2' })
    const [here, there] = [open(server), open(server)]
    const told = async () => {
      for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done))
    }
    here.store.set(['a'], 'typed here')
    await vi.advanceTimersByTimeAsync(1000)
    await told()
    expect(there.store.get(['a'])).toBe('typed here')

    there.store.set(['b'], 'typed there')
    here.store.set(['b'], 'typed here')
    await here.autosave.flush()
    await told()
    expect(there.autosave.state()).toEqual({
      kind: 'conflict',
      fields: [{ name: 'b', mine: 'typed there', theirs: 'typed here' }],
    })
    there.autosave.resolve([])
    await there.autosave.flush()
    expect(server.record()).toEqual({ a: 'typed here', b: 'typed there' })
    here.stop()
    there.stop()
  })

  it('autosave saves the other fields if one is rejected', async () => {
    const server = world({ a: '1', b: '2' })
    const { store, autosave, stop } = open(server)
    const save = server.save
    const refusing = async (changes: Values, etag: string | null) => {
      if (changes.a === 'bad') throw new ApiError(422, 'a: no', [{ propertyPath: 'a', message: 'no', code: 'invalid' }])
      return save(changes, etag)
    }
    stop()
    const second = createAutosave({
      store,
      key: 'k',
      opened: { record: server.record(), etag: server.etag() },
      save: refusing,
      drafts: box(),
    })
    const end = second.start()
    store.set(['a'], 'bad')
    store.set(['b'], 'good')
    await vi.advanceTimersByTimeAsync(2000)
    expect(server.record()).toEqual({ a: '1', b: 'good' })
    expect(second.state().kind).toBe('failed')
    expect(store.problem('a')).toBe('no')
    store.set(['a'], 'fine')
    await vi.advanceTimersByTimeAsync(2000)
    expect(server.record().a).toBe('fine')
    expect(second.state().kind).toBe('saved')
    expect(autosave.state().kind).toBe('saved')
    end()
  })
})

const values = fc.record({ a: fc.nat(2), b: fc.nat(2), c: fc.nat(2) })

describe('merging two versions', () => {
  it('merging two versions adopts changes made on one side, and reports changes made on both sides as conflicts', () => {
    fc.assert(
      fc.property(values, values, values, (base, mine, theirs) => {
        const { taken, conflicts } = mergeFieldValues(FIELD_NAMES, { server: base, clean: base, mine, theirs })
        for (const n of FIELD_NAMES as (keyof typeof base)[]) {
          const [here, there] = [mine[n] !== base[n], theirs[n] !== base[n]]
          const asked = conflicts.some((c) => c.name === n)
          expect(asked).toBe(here && there && mine[n] !== theirs[n])
          if (there && !here) expect(taken[n]).toBe(theirs[n])
          if (!there) expect(n in taken).toBe(false)
        }
      }),
    )
  })
})

describe('a path to a form value', () => {
  it('replacing the value at a path changes no other value, and paths are formatted as on the server', () => {
    expect(formatPath(['steps', 2, 'what'])).toBe('steps[2].what')
    const before = { a: { x: 1 }, steps: [{ what: 'dig' }, { what: 'fill' }] }
    const after = replaceValueAt(before, ['steps', 1, 'what'], 'pour') as typeof before
    expect(valueAt(after, ['steps', 1, 'what'])).toBe('pour')
    expect(after.a).toBe(before.a)
    expect(after.steps[0]).toBe(before.steps[0])
    expect(before.steps[1]?.what).toBe('fill')
    expect(replaceValueAt(undefined, ['a', 1], 'x')).toEqual({ a: [undefined, 'x'] })
  })
})
