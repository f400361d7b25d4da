import { createStore, del, entries, get, type UseStore, update } from 'idb-keyval'
import type { Values } from '#kernel/forms/visible.ts'
import { DRAFTS, leftKey } from './owner.ts'
import { isSameValue } from '../../kernel/forms/same.ts'

/** What was typed into a field and isn't on the server yet. */
export interface DraftField {
  readonly value: unknown
  /** What the server had when it was typed. */
  readonly base: unknown
  /** When, in ms since 1970. */
  readonly at: number
}

export type Draft = Readonly<Record<string, DraftField>>

/** Drafts by key, kept in this browser. Each field is its own entry, so that two tabs don't write over each other. */
export interface DraftStore {
  readonly read: (key: string) => Promise<Draft>
  readonly write: (key: string, fields: Draft) => Promise<void>
  /** The same, done before this returns: the page may be gone before anything later. Whoever comes back in this tab reads it. */
  readonly writeNow: (key: string, fields: Draft) => void
  /** These values are on the server now; what was typed over them since stays. */
  readonly remove: (key: string, saved: Values) => Promise<void>
}

const DAYS = 30
const DAY_MS = 86_400_000
let opened: UseStore | undefined
const store = () => {
  opened ??= createStore(...DRAFTS)
  return opened
}

/** In IndexedDB. A browser that refuses to keep anything (a private window) goes on without. */
export const drafts: DraftStore = {
  read: async (key) => {
    await prune().catch(() => undefined)
    const left = leftIn(key)
    if (left) {
      await drafts.write(key, left)
      leaveIn(key, undefined)
    }
    return (await get<Draft>(key, store()).catch(() => undefined)) ?? {}
  },
  write: (key, fields) => update<Draft>(key, (was) => ({ ...was, ...fields }), store()).catch(() => undefined),
  writeNow: leaveIn,
  remove: async (key, saved) => {
    leaveIn(key, withoutSaved(leftIn(key) ?? {}, saved))
    await update<Draft>(key, (was) => withoutSaved(was ?? {}, saved), store()).catch(() => undefined)
    const left = await get<Draft>(key, store()).catch(() => undefined)
    if (left && Object.keys(left).length === 0) await del(key, store()).catch(() => undefined)
  },
}

function leftIn(key: string): Draft | undefined {
  try {
    const text = sessionStorage.getItem(leftKey(key))
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function leaveIn(key: string, draft: Draft | undefined): void {
  try {
    if (draft && Object.keys(draft).length > 0) sessionStorage.setItem(leftKey(key), JSON.stringify(draft))
    else sessionStorage.removeItem(leftKey(key))
  } catch {}
}

export const withoutSaved = (draft: Draft, saved: Values): Draft =>
  Object.fromEntries(Object.entries(draft).filter(([name, f]) => !(name in saved && isSameValue(f.value, saved[name]))))

async function prune() {
  const old = Date.now() - DAYS * DAY_MS
  for (const [key, draft] of await entries<string, Draft>(store()))
    if (Object.values(draft).every((f) => f.at < old)) await del(key, store())
}
