import { employeeFieldOf, formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { isSameValue, pickValues } from '#kernel/forms/visible.ts'
import { ApiError } from '../../api/client.ts'
import type { DraftStore } from '../../offline/drafts.ts'
import { errorSentence } from '../../ui/toast.ts'
import type { FormStore } from './store.ts'
import {
  applySavedValues,
  createUnsavedDraft,
  type EditedRecordVersions,
  type FieldConflict,
  mergeRecordVersion,
  sendableFieldNames,
  unsavedFieldNames,
} from './versions.ts'

export type AutosaveState =
  /**
   * Everything is saved. `at` is the time of the last save in ms since 1970; null until this form has been saved for
   * the first time.
   */
  | { readonly kind: 'saved'; readonly at: number | null }
  | { readonly kind: 'saving' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'conflict'; readonly fields: readonly FieldConflict[]; readonly saved?: SaveStamp }

/** Username of the person who saved the other version in a conflict, and the instant of the save (ISO 8601). */
export interface SaveStamp {
  readonly by: string
  readonly at: string
}

export interface RecordWithEtag {
  readonly record: Values
  readonly etag: string | null
}

export interface AutosaveSettings {
  readonly store: FormStore
  /** Key of the draft, made of its owner and its record. */
  readonly key: string
  /** Record as it was opened; {} for a new record. */
  readonly opened: RecordWithEtag
  /** Sends changed fields. The server rejects an outdated ETag with 412. */
  readonly save: (
    changes: Values,
    etag: string | null,
  ) => Promise<Partial<RecordWithEtag> & { readonly etag: string | null }>
  /** Fetches the record again after a 412. */
  readonly load?: () => Promise<RecordWithEtag>
  readonly drafts: DraftStore
  /**
   * Names of lists that belong to the record but are not form fields, and from which items are only ever removed. An
   * item missing from one version is removed from all versions.
   */
  readonly shrinking?: readonly string[]
}

export interface Autosave {
  readonly state: () => AutosaveState
  /**
   * Returns the time when the restored draft was typed, and the names of its fields; undefined if there was no draft.
   */
  readonly restored: () => { readonly at: number; readonly names: readonly string[] } | undefined
  readonly subscribe: (listener: () => void) => () => void
  /** Starts listening for changes. Returns a function that stops listening and saves what is still unsaved. */
  readonly start: () => () => void
  /** Saves now. Resolves to true if everything is on the server. */
  readonly flush: () => Promise<boolean>
  /** Discards the restored draft, so that the form shows the record as it was opened. */
  readonly discard: () => void
  readonly accept: () => void
  /** Merges a newer version of a record that was opened from the offline cache. */
  readonly reread: (version: RecordWithEtag) => Promise<void>
  /** Ends a conflict. `theirs` contains the names of the fields for which the other version is used. */
  readonly resolve: (theirs: readonly string[]) => void
}

/** A form is saved once the person has stopped typing for `PAUSE_MS`, and at the latest after `MAX_DELAY_MS`. */
const PAUSE_MS = 800
const MAX_DELAY_MS = 1800
const DRAFT_DELAY_MS = 250
const RETRY_MS = [5_000, 15_000, 60_000] as const
/** Maximum number of saves in a row while the person continues to type. */
const MAX_ROUNDS = 5

const PARTLY_SAVED = 'Some changes could not be saved. Please correct the marked fields.'

interface SavedMessage {
  readonly key: string
  readonly saved: Values
  readonly etag: string | null
}

/** Fields that state who saved a version and when. */
const STAMPS = ['lastEditBy', 'updatedAt'] as const

/** Returns who saved a version and when, if its record states both. */
function savedByIn({ lastEditBy: by, updatedAt: at }: Values): { readonly saved?: SaveStamp } {
  return typeof by === 'string' && typeof at === 'string' && by && at ? { saved: { by, at } } : {}
}

const isOffline = (error: unknown) => error instanceof ApiError && error.status === 0
const failureOf = (error: unknown): AutosaveState =>
  isOffline(error) ? { kind: 'offline' } : { kind: 'failed', message: errorSentence(error) }

/**
 * Saves a form while the person types, stores a draft of unsaved fields, and merges changes that others have saved
 * since the form was opened.
 */
export function createAutosave(settings: AutosaveSettings): Autosave {
  const { store, key, opened, save, load, drafts, shrinking = [] } = settings
  const fields = formFieldsIn(store.schema)
  const names = [
    ...new Set([
      ...fields.flatMap((f) => [f.name, ...(f.also ?? []), ...(f.kind === 'person' ? [employeeFieldOf(f)] : [])]),
      ...shrinking,
    ]),
  ]
  let versions: EditedRecordVersions = { server: opened.record, clean: opened.record, etag: opened.etag, refused: {} }
  let state: AutosaveState = { kind: 'saved', at: null }
  let restored: { at: number; names: readonly string[] } | undefined
  let running: Promise<void> | undefined
  let failures = 0
  let unsavedSince: number | undefined
  /** True once the person has typed something. An untouched form is not saved merely because of its default values. */
  let isTouched = false
  let otherTabs: BroadcastChannel | undefined
  const timers: Partial<Record<'save' | 'retry' | 'draft', ReturnType<typeof setTimeout>>> = {}
  const listeners = new Set<() => void>()

  const become = (next: AutosaveState) => {
    state = next
    for (const l of listeners) l()
  }
  const unsaved = () => unsavedFieldNames(names, versions, store.values())
  const sendable = () => sendableFieldNames(names, versions, store.values())
  const draft = () => createUnsavedDraft(names, versions, store.values(), Date.now())

  const storeDraft = () => {
    clearTimeout(timers.draft)
    delete timers.draft
    const fields = draft()
    return Object.keys(fields).length > 0 ? drafts.write(key, fields) : Promise.resolve()
  }

  const onTyped = () => {
    isTouched = true
    timers.draft ??= setTimeout(() => void storeDraft(), DRAFT_DELAY_MS)
    if (state.kind === 'conflict') return
    unsavedSince ??= Date.now()
    if (state.kind === 'saved' || state.kind === 'failed') become({ kind: 'saving' })
    clearTimeout(timers.save)
    const latest = Math.max(0, unsavedSince + MAX_DELAY_MS - Date.now())
    timers.save = setTimeout(() => void flush(), Math.min(PAUSE_MS, latest))
  }

  /** Merges changes saved by another person or in another tab. Returns false if there is a conflict. */
  const merge = (record: Values, etag: string | null): boolean => {
    const merged = mergeRecordVersion(versions, store.values(), { record, etag }, { names, shrinking })
    versions = merged.versions
    store.replace(merged.replace)
    if (merged.conflicts.length > 0)
      become({ kind: 'conflict', fields: merged.conflicts, ...savedByIn(versions.server) })
    return merged.conflicts.length === 0
  }

  /** Sends the unsaved fields. Resolves to false if the response conflicts with the person's input. */
  const send = async (): Promise<boolean> => {
    const sent = pickValues(store.values(), sendable())
    const sentNames = Object.keys(sent)
    if (sentNames.length === 0) return true
    become({ kind: 'saving' })
    await storeDraft()
    const answer = await save(sent, versions.etag)
    const saved = answer.record ?? sent
    versions = applySavedValues(versions, sent, saved)
    failures = 0
    otherTabs?.postMessage({
      key,
      saved: pickValues({ ...versions.server, ...pickValues(saved, STAMPS) }, [...sentNames, ...STAMPS]),
      etag: answer.etag,
    } satisfies SavedMessage)
    await drafts.remove(key, sent)
    return merge(Object.fromEntries(Object.entries(saved).filter(([n]) => !(n in sent))), answer.etag)
  }

  /** Handles a failed save. Resolves to true if saving continues with the remaining fields. */
  const recover = async (error: unknown): Promise<boolean> => {
    if (error instanceof ApiError && error.status === 412 && load) {
      const { record, etag } = await load()
      return merge(record, etag)
    }
    if (error instanceof ApiError && error.status === 422) {
      const wrong = error.violations.map((v) => v.propertyPath.split(/[.[]/)[0] ?? '')
      store.refuse(error.violations, { quietly: true })
      const refused = pickValues(
        store.values(),
        names.filter((n) => wrong.includes(n)),
      )
      versions = { ...versions, refused: { ...versions.refused, ...refused } }
      if (Object.keys(versions.refused).length > 0 && sendable().length > 0) return true
    }
    become(failureOf(error))
    if (isOffline(error))
      timers.retry = setTimeout(() => void flush(), RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)])
    return false
  }

  const run = async () => {
    clearTimeout(timers.save)
    clearTimeout(timers.retry)
    unsavedSince = undefined
    for (let going = true, rounds = 0; going && rounds < MAX_ROUNDS; rounds++) {
      try {
        if (!(await send())) return
        going = sendable().length > 0
      } catch (e) {
        going = await recover(e).catch((failure: unknown) => {
          become(failureOf(failure))
          return false
        })
        if (!going) return
      }
    }
    become(unsaved().length === 0 ? { kind: 'saved', at: Date.now() } : { kind: 'failed', message: PARTLY_SAVED })
  }

  const flush = async (): Promise<boolean> => {
    while (running) await running
    if (state.kind === 'conflict') return false
    if (unsaved().length === 0) {
      if (state.kind !== 'saved') become({ kind: 'saved', at: Date.now() })
      return true
    }
    running = run().finally(() => {
      running = undefined
    })
    await running
    return unsaved().length === 0
  }

  /**
   * Restores a draft that never reached the server. If somebody else has since changed one of the draft's fields, that
   * field becomes a conflict.
   */
  const restore = async () => {
    const { server, clean } = versions
    const found = Object.entries(await drafts.read(key)).filter(([n, f]) => {
      const value = store.get([n])
      return names.includes(n) && isSameValue(value, clean[n] ?? value) && !isSameValue(f.value, server[n])
    })
    if (found.length === 0) return
    restored = { at: Math.max(...found.map(([, f]) => f.at)), names: found.map(([n]) => n) }
    store.replace(Object.fromEntries(found.map(([n, f]) => [n, f.value])))
    const conflicts = found.flatMap(([name, { value: mine, base }]) =>
      isSameValue(base, server[name]) ? [] : [{ name, mine, theirs: server[name] }],
    )
    if (conflicts.length > 0) become({ kind: 'conflict', fields: conflicts, ...savedByIn(server) })
    else onTyped()
  }

  const onClosing = () => {
    if (!isTouched) return
    drafts.writeNow(key, draft())
    void storeDraft()
  }
  const onOnline = () => {
    if (state.kind === 'offline' || state.kind === 'failed') void flush()
  }
  const start = () => {
    const stop = store.onAny(onTyped)
    otherTabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('stanchion-forms')
    otherTabs?.addEventListener('message', ({ data }: MessageEvent<SavedMessage>) => {
      if (data.key === key) merge({ ...versions.server, ...data.saved }, data.etag)
    })
    const page = typeof window === 'undefined' ? undefined : { window, document }
    page?.window.addEventListener('online', onOnline)
    page?.window.addEventListener('pagehide', onClosing)
    page?.document.addEventListener('visibilitychange', onClosing)
    void restore()
    return () => {
      stop()
      if (isTouched) void storeDraft().then(() => flush())
      otherTabs?.close()
      otherTabs = undefined
      page?.window.removeEventListener('online', onOnline)
      page?.window.removeEventListener('pagehide', onClosing)
      page?.document.removeEventListener('visibilitychange', onClosing)
    }
  }

  return {
    state: () => state,
    restored: () => restored,
    subscribe: (l) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    start,
    flush,
    accept: () => {
      restored = undefined
      become(state)
    },
    reread: async (version) => {
      while (running) await running
      const { etag } = versions
      if (etag !== opened.etag || version.etag === etag || state.kind === 'conflict') return
      if (merge(version.record, version.etag) && unsaved().length > 0) onTyped()
    },
    discard: () => {
      const discarded = restored?.names ?? []
      restored = undefined
      void drafts.remove(key, pickValues(store.values(), discarded))
      store.replace(pickValues(opened.record, discarded))
      become(state)
    },
    resolve: (theirs) => {
      if (state.kind !== 'conflict') return
      const { fields } = state
      const others = Object.fromEntries(fields.map((f) => [f.name, f.theirs]))
      versions = { ...versions, clean: { ...versions.clean, ...others } }
      become({ kind: 'saving' })
      store.replace(pickValues(others, theirs))
      const mine = fields.filter((f) => theirs.includes(f.name)).map((f) => [f.name, f.mine])
      void drafts.remove(key, Object.fromEntries(mine))
      void flush()
    },
  }
}
