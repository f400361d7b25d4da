import { Problem, problem, violation } from '#kernel/errors.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { toPlainObject } from '#kernel/forms/rows.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { RowOf } from '#kernel/resource.ts'
import { isPersonName, parseSignature } from '#kernel/signature.ts'
import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { assertNamesWithoutAccount } from '#modules/documents/sharing/link-attempts.server.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import type { CountedAttempt } from '#server/auth/attempts.ts'
import type { Tx } from '#server/db/db.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import { openSecretLink } from '#server/engine/secret-links.ts'
import type { Context, Engine, RecordReader } from '#server/engine/types.ts'
import { customForm, customFormAnswer, customFormVersion } from '../custom-forms/custom-form.ts'
import { completedFormPath } from '../custom-forms/paths.ts'
import { digestLinkAnswers } from '../custom-forms/pdf.server.ts'
import { formLink, formLinkProblem, type LinkAnswerReceipt, MAX_DAILY_LINK_ANSWERS } from './form-link.ts'

type Form = RowOf<typeof customForm>
type Version = RowOf<typeof customFormVersion>

/** A resolved link with its form. */
export interface FollowedFormLink {
  readonly clientId: number
  readonly company: string
  readonly link: RowOf<typeof formLink>
  readonly form: Form
  /** Newest version of the form; undefined if the form was never published. */
  readonly version: Version | undefined
  /** Reason why the form can't be answered with this link; empty if it can. */
  readonly sentence: string
}

type Reading = Pick<RecordReader, 'get' | 'find'>

/** Loads the form and company of a link. Returns undefined if the company no longer exists or is retired. */
async function readLinked(
  c: Reading,
  engine: Engine,
  clientId: number,
  link: FollowedFormLink['link'],
): Promise<FollowedFormLink | undefined> {
  const [form, ours] = [await c.get(customForm, link.form), await c.get(client, clientId)]
  if (!form || !ours || ours.retired) return undefined
  const version = form.current === null ? undefined : await c.get(customFormVersion, form.current)
  const isActive = (await findPackState(c as RecordReader, clientId, 'safety')) === 'active'
  const today = londonDate(engine.clock.now()).toString()
  const sentence = refusalFor({ link, form, version }, { company: ours.company, isActive, today })
  return { clientId, company: ours.company, link, form, version, sentence }
}

/** Returns the reason why a form can't be answered with a link; an empty string if it can. */
function refusalFor(
  { link, form, version }: Pick<FollowedFormLink, 'link' | 'form' | 'version'>,
  { company, isActive, today }: { readonly company: string; readonly isActive: boolean; readonly today: string },
): string {
  const ask = `Please ask ${company} for a new link.`
  if (link.withdrawnAt) return `${company} has withdrawn this link. ${ask}`
  if (link.until < today) return `This link has expired. ${ask}`
  if (!isActive) return `${company} can’t receive answers here at the moment. Please tell ${company} in another way.`
  if (form.retired || !form.live || !version)
    return `${company} has deleted this form, so it can’t be answered any more.`
  const photos = formLinkProblem(version.schema as FormSchema)
  return photos && `${photos} Please tell ${company} in another way.`
}

/** Resolves a link. Throws 404, without details, if the link is unknown or its company has left. */
export const resolveFormLink = (engine: Engine, token: string | undefined): Promise<FollowedFormLink> =>
  openSecretLink(engine, token, 'open the link of a form', async (c, { clientId, id, hasHash }) => {
    const link = await c.get(formLink, id)
    return link && hasHash(link.hash) ? readLinked(c, engine, clientId, link) : undefined
  })

const ANSWERED = `SELECT count(*)::int AS answers FROM custom_form_answer
  WHERE client_id = $1 AND form_id = $2 AND by_link AND created_at >= $3`

/** Returns the message that the form has reached its daily limit of answers by link; an empty string if it has not. */
export async function findDailyLimitSentence(
  tx: Tx,
  { clientId, form, company }: Pick<FollowedFormLink, 'clientId' | 'form' | 'company'>,
  now: Temporal.Instant,
): Promise<string> {
  const start = londonDate(now).toZonedDateTime(LONDON_TIME_ZONE).toInstant()
  const [found] = await tx.rows<{ answers: number }>(ANSWERED, [clientId, form.id, start.toString()])
  return (found?.answers ?? 0) < MAX_DAILY_LINK_ANSWERS
    ? ''
    : `This form has been answered by link ${MAX_DAILY_LINK_ANSWERS} times today, which is the maximum for one day. Please send your answers tomorrow, or tell ${company} in another way.`
}

/** Notification: the user's form was answered by link. */
export const answeredByLinkNotice = declareNotificationType({
  kind: 'form.answered by link',
  label: 'My forms answered by link',
  for: DOCUMENT_AUTHOR_ROLES,
  icon: 'checklist',
  of: customFormAnswer,
  words: ({ title, name, number }) => `${name} answered “${title}” by link: ${number}`,
  path: ({ id }) => completedFormPath(id),
  mail: true,
})

/** Answer as sent by the holder of a link. */
export interface LinkAnswerInput {
  readonly name: string
  readonly company: string
  /** ID of the form version that was answered. */
  readonly version: number
  readonly answers: unknown
  /** Key of the request, unique to this answer. */
  readonly key: string
}

/**
 * Saves an answer by link as a completed form under the given name, never under an account. A request repeated with the
 * same key and content has no further effect. Throws 410 if the link no longer works, 409 if the key was used for other
 * answers, the form has reached its daily limit or the version can't be answered, and 422 if answers are missing or
 * invalid or a name is that of an account. `tried`: the attempt to count when the error reveals that a name is known.
 */
export async function saveLinkAnswer(
  c: Context,
  { clientId, link: opened }: Pick<FollowedFormLink, 'clientId' | 'link'>,
  given: LinkAnswerInput,
  tried: CountedAttempt,
): Promise<() => Promise<LinkAnswerReceipt>> {
  // All links of a form are locked in turn by its row, so that the count of today's answers is exact.
  await c.lock(customForm, opened.form)
  const link = await c.lock(formLink, opened.id)
  const [repeated] = await c.find(customFormAnswer, { form: link.form, sentKey: given.key })
  if (repeated) {
    await assertSameContent(c, repeated, given)
    return async () => receiptOf(repeated)
  }
  const linked = await readLinked(c, c.engine, clientId, link)
  if (!linked) throw problem.notFound()
  if (linked.sentence) throw new Problem(410, linked.sentence)
  const full = await findDailyLimitSentence(c.work.tx, linked, c.now)
  if (full) throw problem.conflict(full)
  const version = await c.get(customFormVersion, given.version)
  if (version?.form !== link.form)
    throw problem.conflict(
      'This version does not belong to the form. Please reload the page and answer the form again.',
    )
  const photos = formLinkProblem(version.schema as FormSchema)
  if (photos) throw problem.conflict(`${photos} Please use the newest version of the form.`)
  await assertNamesFree(c, version.schema as FormSchema, given, tried)
  const { name, company, answers, key } = given
  const written = await c.withoutPermissionCheck('the holder of a link answers its form').create(customFormAnswer, {
    form: link.form,
    version: version.id,
    answers,
    byLink: true,
    name,
    company,
    sentKey: key,
  })
  await c.set(formLink, link, { answered: link.answered + 1 }, 'answer')
  const { id } = await written.saved()
  await notifyOwner(c, linked, id)
  return async () => receiptOf(await written.saved())
}

const receiptOf = ({
  number,
  name,
  createdAt,
}: Pick<RowOf<typeof customFormAnswer>, 'number' | 'name' | 'createdAt'>) =>
  ({ '@type': 'LinkAnswer', number, name, createdAt }) as const

/** Throws 409 if the answers stored with a key are not those sent with it again. */
async function assertSameContent(
  c: Context,
  stored: RowOf<typeof customFormAnswer>,
  { name, company, version: id, answers }: LinkAnswerInput,
): Promise<void> {
  const version = await c.get(customFormVersion, stored.version)
  const isSame =
    stored.version === id &&
    stored.name === name &&
    stored.company === company &&
    version !== undefined &&
    stored.digest === digestLinkAnswers(version, answers)
  if (isSame) return
  throw problem.conflict(
    `Other answers with this key have already been received as ${stored.number} and can’t be changed. These answers have not been saved. Please reload the page and send them again.`,
  )
}

/** Notifies the form's author or, if that person has left, the author of the link. */
async function notifyOwner(c: Context, { form, link }: FollowedFormLink, about: number): Promise<void> {
  const people = await c.find(user, { username: [form.author ?? '', link.author ?? ''], isRetired: false })
  const owner = people.find(({ username }) => username === form.author) ?? people[0]
  if (owner) await notifyUsers(c, answeredByLinkNotice, [{ to: owner.id, about }])
}

/** Throws 422 if the name, or a name with a signature, is missing or belongs to an account. */
async function assertNamesFree(
  c: Context,
  schema: FormSchema,
  { name, answers }: Pick<LinkAnswerInput, 'name' | 'answers'>,
  tried: CountedAttempt,
): Promise<void> {
  if (!isPersonName(name)) throw problem.invalid([violation('name', 'Please enter your full name')])
  const values = toPlainObject(answers)
  const signed = formFieldsIn(schema).flatMap((f): [string, string][] => {
    const hand = f.kind === 'signature' ? parseSignature(values[f.name]) : undefined
    return hand && isPersonName(hand.name) ? [[`answers.${f.name}.name`, hand.name]] : []
  })
  await assertNamesWithoutAccount(c, new Map([['name', name], ...signed]), NAME_KNOWN, tried)
}

const NAME_KNOWN =
  'Somebody with this name has an account. If that is you, sign in and answer the form there. If you are a different person, add your company after your name'
