import { createStore, del, entries, get, keys, type UseStore, update } from 'idb-keyval'
import type { Values } from '#kernel/forms/visible.ts'
import { isSameValue } from '#kernel/forms/visible.ts'
import { draftSavedOnClose, isOwnedBy, type OwnerIdentity } from './owner.ts'

/** Field with input that is not on the server yet. */
export interface DraftField {
  readonly value: unknown
  /** Value on the server when the input was typed. */
  readonly base: unknown
  /** Time when the input was typed, in ms since 1970. */
  readonly at: number
}

export type FormDraft = Readonly<Record<string, DraftField>>

/**
 * Store for drafts in this browser, by key. A write changes only the given fields, so two tabs overwrite each other's
 * input only within the same field.
 */
export interface DraftStore {
  readonly read: (key: string) => Promise<FormDraft>
  readonly write: (key: string, fields: FormDraft) => Promise<void>
  /** Writes synchronously, for a page that is closing. The next `read` in this tab returns these fields. */
  readonly writeNow: (key: string, fields: FormDraft) => void
  /** Removes values that are on the server now. Input typed since then is retained. */
  readonly remove: (key: string, saved: Values) => Promise<void>
}

const MAX_AGE_MS = 30 * 86_400_000

let opened: UseStore | undefined
const store = () => {
  opened ??= createStore('stanchion-drafts', 'drafts')
  return opened
}

/** Stores drafts in IndexedDB. If the browser can't store anything (a private window), forms work without drafts. */
export const draftStore: DraftStore = {
  read: async (key) => {
    await removeOld().catch(() => undefined)
    const closing = draftSavedOnClose<FormDraft>(key).read()
    if (closing) {
      await draftStore.write(key, closing)
      draftStore.writeNow(key, {})
    }
    return (await get<FormDraft>(key, store()).catch(() => undefined)) ?? {}
  },
  write: (key, fields) => update<FormDraft>(key, (was) => ({ ...was, ...fields }), store()).catch(() => undefined),
  writeNow: (key, fields) =>
    draftSavedOnClose<FormDraft>(key).write(Object.keys(fields).length > 0 ? fields : undefined),
  remove: async (key, saved) => {
    draftStore.writeNow(key, removeSavedValues(draftSavedOnClose<FormDraft>(key).read() ?? {}, saved))
    await update<FormDraft>(key, (was) => removeSavedValues(was ?? {}, saved), store()).catch(() => undefined)
    const left = await get<FormDraft>(key, store()).catch(() => undefined)
    if (left && Object.keys(left).length === 0) await del(key, store()).catch(() => undefined)
  },
}

export const removeSavedValues = (draft: FormDraft, saved: Values): FormDraft =>
  Object.fromEntries(Object.entries(draft).filter(([name, f]) => !(name in saved && isSameValue(f.value, saved[name]))))

async function removeOld() {
  const oldest = Date.now() - MAX_AGE_MS
  for (const [key, draft] of await entries<string, FormDraft>(store()))
    if (Object.values(draft).every((f) => f.at < oldest)) await del(key, store())
}

/** Removes a person's drafts, including those typed while impersonating. */
export async function removePersonDrafts(person: OwnerIdentity): Promise<void> {
  for (const key of await keys<string>(store())) if (isOwnedBy(person, key)) await del(key, store())
}
