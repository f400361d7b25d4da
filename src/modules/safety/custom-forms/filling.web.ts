import type { Values } from '#kernel/forms/visible.ts'
import { randomKey } from '#web/api/idempotency.ts'
import { session } from '#web/api/session.ts'
import { drafts } from '#web/offline/drafts.ts'
import { ownerOf } from '#web/offline/owner.ts'

/** A form that somebody has begun to fill in, as this device keeps it until it is sent. */
export interface Filling {
  /** The address of the version that it was begun with. */
  readonly version: string
  /** Which filling it is: its pictures, which may wait for a connection, are told from those of others by it. */
  readonly key: string
  readonly answers: Values
  /** When it was begun, in ms since 1970. */
  readonly begunAt: number
}

const NAME = 'filling'
const keyOf = (form: number) => `${ownerOf(session.me())}/custom-form/${form}`

const isFilling = (value: unknown): value is Filling =>
  value !== null && typeof value === 'object' && 'version' in value && 'key' in value && 'answers' in value

/** What this device has of a form that was begun here. */
export async function readFilling(form: number): Promise<Filling | null> {
  const kept = (await drafts.read(keyOf(form)))[NAME]?.value
  return isFilling(kept) ? kept : null
}

export const beginFilling = (version: string, answers: Values = {}): Filling => ({
  version,
  key: randomKey(),
  answers,
  begunAt: Date.now(),
})

const draftOf = (value: Filling) => ({ [NAME]: { value, base: null, at: Date.now() } })
export const keepFilling = (form: number, filling: Filling): Promise<void> =>
  drafts.write(keyOf(form), draftOf(filling))
/** The same as the page goes. */
export const leaveFilling = (form: number, filling: Filling): void => drafts.writeNow(keyOf(form), draftOf(filling))

/** It is sent, or begun anew: this device lets go of it. */
export async function forgetFilling(form: number): Promise<void> {
  const kept = await readFilling(form)
  if (kept) await drafts.remove(keyOf(form), { [NAME]: kept })
}
