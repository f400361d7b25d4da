import { fieldsIn } from '#kernel/forms/fields-in.ts'
import { isSameValue, pickValues } from '#kernel/forms/same.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { ApiError } from '../../api/client.ts'
import type { DraftStore } from '../../offline/drafts.ts'
import { sentence } from '../../ui/toast.ts'
import { type Conflict, different, reconcile } from './reconcile.ts'
import type { FormStore } from './store.ts'

export type SaveState =
  /** `at` in ms since 1970; null until something has been saved here. */
  | { readonly kind: 'saved'; readonly at: number | null }
  | { readonly kind: 'saving' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'conflict'; readonly fields: readonly Conflict[] }

/** A record with the ETag of that version. */
export interface Version {
  readonly record: Values
  readonly etag: string | null
}

export interface AutosaveSettings {
  readonly store: FormStore
  /** Names the draft: whose it is, and of which record. */
  readonly key: string
  /** The record as it was opened; {} for a new one. */
  readonly opened: Version
  /** Sends what has changed. An ETag that is no longer the record's is refused with 412. */
  readonly save: (changes: Values, etag: string | null) => Promise<Partial<Version> & { readonly etag: string | null }>
  /** The record as it is now, after a 412. */
  readonly load?: () => Promise<Version>
  readonly drafts: DraftStore
  /** Lists of the record that are no fields and only lose things: what is gone from one version is gone from all. */
  readonly shrinking?: readonly string[]
}

export interface Autosave {
  readonly state: () => SaveState
  /** When the draft that was found here was typed, and its fields; undefined when there was none. */
  readonly restored: () => { readonly at: number; readonly names: readonly string[] } | undefined
  readonly subscribe: (listener: () => void) => () => void
  /** Begins to listen; returns how to stop, which saves what is left. */
  readonly start: () => () => void
  /** Saves now; true when everything is on the server. */
  readonly flush: () => Promise<boolean>
  /** Goes back to what the server had before the draft was restored. */
  readonly discard: () => void
  readonly accept: () => void
  /** The record was read anew, where it was opened as an old copy: what is newer in it is merged. What was heard since is newer still. */
  readonly reread: (version: Version) => Promise<void>
  /** Ends a conflict: the fields for which the other version is taken. */
  readonly resolve: (theirs: readonly string[]) => void
}

const QUIET_MS = 800
const LATEST_MS = 1800
const KEEP_MS = 250
const AGAIN_MS = [5_000, 15_000, 60_000] as const

interface Said {
  readonly key: string
  readonly saved: Values
  readonly etag: string | null
}

/** Saves a form as it is typed, keeps a draft of what isn't saved yet, and merges what others saved meanwhile. */
export function createAutosave(settings: AutosaveSettings): Autosave {
  const { store, key, opened, save, load, drafts, shrinking = [] } = settings
  const fields = fieldsIn(store.schema)
  const names = [...new Set([...fields.flatMap((f) => [f.name, ...(f.also ?? [])]), ...shrinking])]
  let server = opened.record
  let clean = opened.record
  let etag = opened.etag
  let state: SaveState = { kind: 'saved', at: null }
  let restored: { at: number; names: readonly string[] } | undefined
  /** What the server refuses to take; it isn't sent again until it changes. */
  let refused: Values = {}
  let running: Promise<void> | undefined
  let failures = 0
  let dirtySince: number | undefined
  /** Defaults alone are no reason to save. */
  let touched = false
  let quiet: Timer
  let again: Timer
  let keeping: Timer
  let others: BroadcastChannel | undefined
  const listeners = new Set<() => void>()

  const become = (next: SaveState) => {
    state = next
    for (const l of listeners) l()
  }
  const dirty = () => different(names, store.values(), clean)
  const sendable = () => dirty().filter((n) => !(n in refused) || !isSameValue(refused[n], store.get([n])))

  const unsaved = () => {
    const at = Date.now()
    return Object.fromEntries(dirty().map((n) => [n, { value: store.get([n]), base: server[n], at }] as const))
  }

  const keep = () => {
    clearTimeout(keeping)
    keeping = undefined
    const fields = unsaved()
    return Object.keys(fields).length > 0 ? drafts.write(key, fields) : Promise.resolve()
  }

  const changed = () => {
    touched = true
    keeping ??= setTimeout(() => void keep(), KEEP_MS)
    if (state.kind === 'conflict') return
    dirtySince ??= Date.now()
    if (state.kind === 'saved' || state.kind === 'failed') become({ kind: 'saving' })
    clearTimeout(quiet)
    quiet = setTimeout(() => void flush(), Math.min(QUIET_MS, Math.max(0, dirtySince + LATEST_MS - Date.now())))
  }

  /** What somebody else has saved, found out by a refusal or told by another tab. */
  const meet = (theirs: Values, version: string | null) => {
    const shrunk = shrinking.filter((name) => name in theirs)
    clean = { ...clean, ...pickValues(theirs, shrunk) }
    server = { ...server, ...pickValues(theirs, shrunk) }
    store.replace(Object.fromEntries(shrunk.map((name) => [name, inBoth(store.get([name]), theirs[name])])))
    const { taken, conflicts } = reconcile(names, { server, clean, mine: store.values(), theirs })
    server = { ...server, ...theirs }
    clean = { ...clean, ...taken }
    etag = version
    store.replace(taken)
    if (conflicts.length > 0) become({ kind: 'conflict', fields: conflicts })
    return conflicts.length === 0
  }

  /** False when what came back is in conflict with what is typed. */
  const send = async (): Promise<boolean> => {
    const sent = pickValues(store.values(), sendable())
    if (Object.keys(sent).length === 0) return true
    become({ kind: 'saving' })
    await keep()
    const names = Object.keys(sent)
    const answer = await save(sent, etag)
    const kept = answer.record ?? sent
    clean = { ...clean, ...sent }
    // As the server keeps it (trimmed, tidied); what is on the screen stays as it was typed.
    server = { ...server, ...pickValues({ ...sent, ...kept }, names) }
    const beside = Object.fromEntries(Object.entries(kept).filter(([n]) => !names.includes(n)))
    failures = 0
    others?.postMessage({ key, saved: pickValues(server, names), etag: answer.etag } satisfies Said)
    await drafts.remove(key, sent)
    return meet(beside, answer.etag)
  }

  const fail = async (error: unknown): Promise<boolean> => {
    const status = error instanceof ApiError ? error.status : -1
    if (status === 412 && load) {
      const now = await load()
      return meet(now.record, now.etag)
    }
    if (status === 422 && error instanceof ApiError) {
      const wrong = [...new Set(error.violations.map((v) => v.propertyPath.split(/[.[]/)[0] ?? ''))]
      store.refuse(error.violations, { quietly: true })
      refused = {
        ...refused,
        ...pickValues(
          store.values(),
          wrong.filter((n) => names.includes(n)),
        ),
      }
      if (Object.keys(refused).length > 0 && sendable().length > 0) return true
    }
    become(status === 0 ? { kind: 'offline' } : { kind: 'failed', message: sentence(error) })
    if (status === 0) again = setTimeout(() => void flush(), AGAIN_MS[Math.min(failures++, AGAIN_MS.length - 1)])
    return false
  }

  const run = async () => {
    clearTimeout(quiet)
    clearTimeout(again)
    dirtySince = undefined
    for (let going = true, rounds = 0; going && rounds < 5; rounds++) {
      try {
        if (!(await send())) return
        going = sendable().length > 0
      } catch (e) {
        going = await fail(e).catch((f: unknown) => {
          become(
            f instanceof ApiError && f.status === 0 ? { kind: 'offline' } : { kind: 'failed', message: sentence(f) },
          )
          return false
        })
        if (!going) return
      }
    }
    if (dirty().length === 0) become({ kind: 'saved', at: Date.now() })
    else become({ kind: 'failed', message: 'Some of this could not be saved. Please put right what is marked.' })
  }

  const flush = async (): Promise<boolean> => {
    while (running) await running
    if (state.kind === 'conflict') return false
    if (dirty().length === 0) {
      if (state.kind !== 'saved') become({ kind: 'saved', at: Date.now() })
      return true
    }
    running = run().finally(() => {
      running = undefined
    })
    await running
    return dirty().length === 0
  }

  /** What was typed here before, and never arrived: the newest wins, unless somebody else has changed the field since. */
  const restore = async () => {
    const found = Object.entries(await drafts.read(key)).filter(
      ([n, f]) =>
        names.includes(n) &&
        isSameValue(store.get([n]), clean[n] ?? store.get([n])) &&
        !isSameValue(f.value, server[n]),
    )
    if (found.length === 0) return
    restored = { at: Math.max(...found.map(([, f]) => f.at)), names: found.map(([n]) => n) }
    store.replace(Object.fromEntries(found.map(([n, f]) => [n, f.value])))
    const conflicts = found.filter(([n, f]) => !isSameValue(f.base, server[n]))
    if (conflicts.length > 0)
      become({
        kind: 'conflict',
        fields: conflicts.map(([name, f]) => ({ name, mine: f.value, theirs: server[name] })),
      })
    else changed()
  }

  return {
    state: () => state,
    restored: () => restored,
    subscribe: (l) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    start: () => {
      const stop = store.onAny(changed)
      const leave = () => {
        if (!touched) return
        drafts.writeNow(key, unsaved())
        void keep()
      }
      const back = () => {
        if (state.kind === 'offline' || state.kind === 'failed') void flush()
      }
      others = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('stanchion-forms')
      others?.addEventListener('message', (e: MessageEvent<Said>) => {
        if (e.data.key === key) meet({ ...server, ...e.data.saved }, e.data.etag)
      })
      if (typeof window !== 'undefined') {
        addEventListener('online', back)
        addEventListener('pagehide', leave)
        document.addEventListener('visibilitychange', leave)
      }
      void restore()
      return () => {
        stop()
        if (touched) void keep().then(() => flush())
        others?.close()
        others = undefined
        if (typeof window === 'undefined') return
        removeEventListener('online', back)
        removeEventListener('pagehide', leave)
        document.removeEventListener('visibilitychange', leave)
      }
    },
    flush,
    accept: () => {
      restored = undefined
      become(state)
    },
    reread: async (version) => {
      while (running) await running
      if (etag !== opened.etag || version.etag === etag || state.kind === 'conflict') return
      if (meet(version.record, version.etag) && dirty().length > 0) changed()
    },
    discard: () => {
      const gone = restored?.names ?? []
      restored = undefined
      void drafts.remove(key, pickValues(store.values(), gone))
      store.replace(pickValues(opened.record, gone))
      become(state)
    },
    resolve: (theirs) => {
      if (state.kind !== 'conflict') return
      const { fields } = state
      const all = Object.fromEntries(fields.map((f) => [f.name, f.theirs]))
      clean = { ...clean, ...all }
      become({ kind: 'saving' })
      store.replace(pickValues(all, theirs))
      void drafts.remove(
        key,
        Object.fromEntries(fields.filter((f) => theirs.includes(f.name)).map((f) => [f.name, f.mine])),
      )
      void flush()
    },
  }
}

const inBoth = (mine: unknown, theirs: unknown): unknown[] => {
  const kept = new Set<unknown>(Array.isArray(theirs) ? theirs : [])
  return Array.isArray(mine) ? mine.filter((one) => kept.has(one)) : []
}

type Timer = ReturnType<typeof setTimeout> | undefined
