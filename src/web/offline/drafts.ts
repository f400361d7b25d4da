import { createStore, del, entries, get, keys, type UseStore, update } from 'idb-keyval'
import type { Values } from '#kernel/forms/visible.ts'
import { isSameValue } from '#kernel/forms/visible.ts'
import { draftSavedOnClose, isOwnedBy, type OwnerIdentity, VISITOR_DRAFT_PREFIX, visitorDraft } from './owner.ts'

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
const deviceDrafts: DraftStore = {
  read: async (key) => {
    await removeOld().catch(() => undefined)
    const closing = draftSavedOnClose<FormDraft>(key).read()
    if (closing) {
      await deviceDrafts.write(key, closing)
      deviceDrafts.writeNow(key, {})
    }
    return (await get<FormDraft>(key, store()).catch(() => undefined)) ?? {}
  },
  write: (key, fields) => update<FormDraft>(key, (was) => ({ ...was, ...fields }), store()).catch(() => undefined),
  writeNow: (key, fields) =>
    draftSavedOnClose<FormDraft>(key).write(Object.keys(fields).length > 0 ? fields : undefined),
  remove: async (key, saved) => {
    deviceDrafts.writeNow(key, removeSavedValues(draftSavedOnClose<FormDraft>(key).read() ?? {}, saved))
    await update<FormDraft>(key, (was) => removeSavedValues(was ?? {}, saved), store()).catch(() => undefined)
    const left = await get<FormDraft>(key, store()).catch(() => undefined)
    if (left && Object.keys(left).length === 0) await del(key, store()).catch(() => undefined)
  },
}

/** Stores drafts of people who have not signed in until the tab is closed: the next visitor may use the same device. */
const tabDrafts: DraftStore = {
  read: async (key) => visitorDraft<FormDraft>(key).read() ?? {},
  write: async (key, fields) => tabDrafts.writeNow(key, fields),
  writeNow: (key, fields) => void visitorDraft(key).write({ ...visitorDraft<FormDraft>(key).read(), ...fields }),
  remove: async (key, saved) => {
    const left = removeSavedValues(visitorDraft<FormDraft>(key).read() ?? {}, saved)
    visitorDraft(key).write(Object.keys(left).length ? left : undefined)
  },
}

const storeFor = (key: string) => (key.startsWith(VISITOR_DRAFT_PREFIX) ? tabDrafts : deviceDrafts)

/** Store for all drafts: those of signed-in people on this device, those of visitors in this tab. */
export const draftStore: DraftStore = {
  read: (key) => storeFor(key).read(key),
  write: (key, fields) => storeFor(key).write(key, fields),
  writeNow: (key, fields) => storeFor(key).writeNow(key, fields),
  remove: (key, saved) => storeFor(key).remove(key, saved),
}

export const removeSavedValues = (draft: FormDraft, saved: Values): FormDraft =>
  Object.fromEntries(Object.entries(draft).filter(([name, f]) => !(name in saved && isSameValue(f.value, saved[name]))))

async function removeOld() {
  const oldest = Date.now() - MAX_AGE_MS
  for (const [key, draft] of await entries<string, FormDraft>(store()))
    if (key.startsWith(VISITOR_DRAFT_PREFIX) || Object.values(draft).every((f) => f.at < oldest))
      await del(key, store())
}

/** Removes a person's drafts, including those typed while impersonating. */
export async function removePersonDrafts(person: OwnerIdentity): Promise<void> {
  for (const key of await keys<string>(store())) if (isOwnedBy(person, key)) await del(key, store())
}
