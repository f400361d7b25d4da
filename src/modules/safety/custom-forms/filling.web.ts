import type { Values } from '#kernel/forms/visible.ts'
import { randomKey } from '#web/api/idempotency.ts'
import { session } from '#web/api/session.ts'
import { drafts } from '#web/offline/drafts.ts'
import { ownerOf } from '#web/offline/owner.ts'

/** Answers in progress, saved on this device until sent. */
export interface Filling {
  /** `@id` of the form version it was started with. */
  readonly version: string
  /** Identifies these answers, so that their queued pictures are not mixed with others. */
  readonly key: string
  readonly answers: Values
  /** When it was started, in ms since 1970. */
  readonly begunAt: number
}

const NAME = 'filling'
const keyOf = (form: number) => `${ownerOf(session.me())}/custom-form/${form}`

const isFilling = (value: unknown): value is Filling =>
  value !== null && typeof value === 'object' && 'version' in value && 'key' in value && 'answers' in value

/** Reads the answers in progress from this device. */
export async function readFilling(form: number): Promise<Filling | null> {
  const kept = (await drafts.read(keyOf(form)))[NAME]?.value
  return isFilling(kept) ? kept : null
}

export const newFilling = (version: string, answers: Values = {}): Filling => ({
  version,
  key: randomKey(),
  answers,
  begunAt: Date.now(),
})

const draftOf = (value: Filling) => ({ [NAME]: { value, base: null, at: Date.now() } })
export const storeFilling = (form: number, filling: Filling): Promise<void> =>
  drafts.write(keyOf(form), draftOf(filling))
/** Saves the answers while the page closes. */
export const storeFillingNow = (form: number, filling: Filling): void => drafts.writeNow(keyOf(form), draftOf(filling))

/** Deletes the answers from this device, after sending or on a new start. */
export async function removeFilling(form: number): Promise<void> {
  const kept = await readFilling(form)
  if (kept) await drafts.remove(keyOf(form), { [NAME]: kept })
}
