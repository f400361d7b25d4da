import type { Values } from '#kernel/forms/visible.ts'
import { randomKey } from '#web/api/idempotency.ts'
import { session } from '#web/api/session.ts'
import { draftStore } from '#web/offline/drafts.ts'
import { ownerKeyOf } from '#web/offline/owner.ts'

/** Answers in progress, saved on this device until sent. */
export interface FormAnswersDraft {
  /** `@id` of the form version it was started with. */
  readonly version: string
  /** Identifies these answers, so that their queued pictures are not mixed with others. */
  readonly key: string
  readonly answers: Values
  /** When it was started, in ms since 1970. */
  readonly begunAt: number
}

const NAME = 'filling'
const keyOf = (form: number) => `${ownerKeyOf(session.me())}/custom-form/${form}`

const isFilling = (value: unknown): value is FormAnswersDraft =>
  value !== null && typeof value === 'object' && 'version' in value && 'key' in value && 'answers' in value

/** Reads the answers in progress from this device. */
export async function readAnswersDraft(form: number): Promise<FormAnswersDraft | null> {
  const kept = (await draftStore.read(keyOf(form)))[NAME]?.value
  return isFilling(kept) ? kept : null
}

export const newFilling = (version: string, answers: Values = {}): FormAnswersDraft => ({
  version,
  key: randomKey(),
  answers,
  begunAt: Date.now(),
})

const draftOf = (value: FormAnswersDraft) => ({ [NAME]: { value, base: null, at: Date.now() } })
export const storeFilling = (form: number, filling: FormAnswersDraft): Promise<void> =>
  draftStore.write(keyOf(form), draftOf(filling))
/** Saves the answers while the page closes. */
export const storeFillingNow = (form: number, filling: FormAnswersDraft): void =>
  draftStore.writeNow(keyOf(form), draftOf(filling))

/** Deletes the answers from this device, after sending or on a new start. */
export async function removeFilling(form: number): Promise<void> {
  const kept = await readAnswersDraft(form)
  if (kept) await draftStore.remove(keyOf(form), { [NAME]: kept })
}
