import { createStore, del, entries, get, type UseStore, update } from 'idb-keyval'
import type { Values } from '#kernel/forms/visible.ts'
import { DRAFTS } from '../../api/typed.ts'
import { same } from '../store/same.ts'

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
export interface Drafts {
  readonly read: (key: string) => Promise<Draft>
  readonly keep: (key: string, fields: Draft) => Promise<void>
  /** These values are on the server now; what was typed over them since stays. */
  readonly forget: (key: string, saved: Values) => Promise<void>
}

const DAYS = 30
const DAY_MS = 86_400_000
let opened: UseStore | undefined
const store = () => {
  opened ??= createStore(...DRAFTS)
  return opened
}

/** In IndexedDB. A browser that refuses to keep anything (a private window) goes on without. */
export const drafts: Drafts = {
  read: async (key) => {
    await prune().catch(() => undefined)
    return (await get<Draft>(key, store()).catch(() => undefined)) ?? {}
  },
  keep: (key, fields) => update<Draft>(key, (was) => ({ ...was, ...fields }), store()).catch(() => undefined),
  forget: async (key, saved) => {
    await update<Draft>(key, (was) => without(was ?? {}, saved), store()).catch(() => undefined)
    const left = await get<Draft>(key, store()).catch(() => undefined)
    if (left && Object.keys(left).length === 0) await del(key, store()).catch(() => undefined)
  },
}

export const without = (draft: Draft, saved: Values): Draft =>
  Object.fromEntries(Object.entries(draft).filter(([name, f]) => !(name in saved && same(f.value, saved[name]))))

async function prune() {
  const old = Date.now() - DAYS * DAY_MS
  for (const [key, draft] of await entries<string, Draft>(store()))
    if (Object.values(draft).every((f) => f.at < old)) await del(key, store())
}
