import { Problem, problem } from '#kernel/errors.ts'
import { integer, json, text } from '#kernel/fields.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { createBearerActor } from '#kernel/roles.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { countLinkAttempt } from '#modules/documents/sharing/link-attempts.server.ts'
import { MAX_SIGNATORY_LENGTHS } from '#modules/documents/signing/hand-words.ts'
import { posterLinkRoutes } from '#modules/documents/signing-links/poster-routes.server.ts'
import { linkLogoRoute, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { customForm, customFormVersion } from '../custom-forms/custom-form.ts'
import {
  answeredByLinkNotice,
  type FollowedFormLink,
  findDailyLimitSentence,
  resolveFormLink,
  saveLinkAnswer,
} from './answering.server.ts'
import {
  FORM_LINK_DAYS,
  formLink,
  formLinkProblem,
  listQuestionsNotByLink,
  type SharedForm,
  selectQuestionsByLink,
} from './form-link.ts'

const AT = '/api/safety/shared_forms/{token}'
/** Routes for authors of forms. */
const managerRoutes = posterLinkRoutes({
  of: customForm,
  type: 'FormLink',
  noun: 'form',
  purpose: 'answer a form',
  page: '/form',
  sealedAs: (form) => `link to answer form ${form}`,
  allow: DOCUMENT_AUTHOR_ROLES,
  days: FORM_LINK_DAYS,
  check: async (c, form) => {
    const version = form.current === null ? undefined : await c.get(customFormVersion, form.current)
    if (form.retired || !form.live || !version)
      throw problem.conflict(
        'Only a published form that is not deleted can be answered by link. Please publish it first.',
      )
    const photos = formLinkProblem(version.schema as FormSchema)
    if (photos) throw problem.conflict(photos)
  },
  links: async (c, form) => (await c.find(formLink, { form })).map((link) => ({ ...link, signed: link.answered })),
  create: async (c, form, link) => {
    await c.withoutPermissionCheck('authors of forms manage the links to them').create(formLink, { form, ...link })
  },
  withdraw: async (c, form) => {
    for (const link of await c.lockAll(formLink, { form }))
      if (!link.withdrawnAt) await c.set(formLink, link, { withdrawnAt: c.now.toString() }, 'withdraw')
  },
  poster: ({ title, notes }) => ({
    what: 'Form',
    called: title,
    about: notes ?? '',
    invite: 'Scan to answer',
    how: 'Answer the form on your phone. You don’t need an account.',
  }),
})

/** Loads the form as shown to the holder of its link. */
async function loadSharedForm({ engine, params, now }: RouteContext): Promise<SharedForm> {
  const followed = await resolveFormLink(engine, params.token)
  const { clientId, company, form, link, version } = followed
  const at = AT.replace('{token}', params.token ?? '')
  const logo = (await readLetterhead(engine, clientId)).client.logo ? `${at}/logo` : null
  const sentence =
    followed.sentence || (await engine.db.tx({ clientId }, (tx) => findDailyLimitSentence(tx, followed, now)))
  const about = { '@id': at, '@type': 'SharedForm' as const, company, logo, sentence }
  if (sentence || !version) return about
  const schema = version.schema as FormSchema
  return {
    ...about,
    form: {
      title: version.title,
      notes: form.notes ?? '',
      version: version.id,
      schema: selectQuestionsByLink(schema),
      omitted: listQuestionsNotByLink(schema),
      until: link.until,
    },
  }
}

/** Author of answers by link. It contains a space, which no username can. */
const HOLDER = 'by link'

/** Runs an operation in the company's tenant as the holder of a link, who may only open it and answer the form. */
function runAsHolder<T>(
  c: RouteContext,
  { clientId, link }: FollowedFormLink,
  act: Parameters<typeof c.engine.inTenant<T>>[2],
) {
  const name = `Holder of the link to form ${link.form}`
  const holder = createBearerActor(clientId, { username: HOLDER, name }, [
    { type: formLink.type, id: link.id, verbs: ['read', 'open'] },
  ])
  const change = { actor: holder, requestId: c.request.id, resource: formLink, id: link.id }
  return c.engine.inTenant(clientId, change, act)
}

const ANSWER = {
  name: text({
    required: 'Please enter your full name',
    max: MAX_SIGNATORY_LENGTHS.name,
    stripInvisible: true,
    label: 'Name',
  }),
  company: text({ default: '', max: MAX_SIGNATORY_LENGTHS.company, stripInvisible: true, label: 'Company' }),
  version: integer({
    required: true,
    help: 'ID of the form version that was answered, as returned by `GET shared_forms/{token}`.',
  }),
  answers: json({ max: 20_000 }),
  key: text({
    required: true,
    max: 100,
    help: 'Unique key of this answer. A request repeated with the same key and content has no further effect; the same key with other content is refused (409).',
  }),
} as const

/** `POST shared_forms/{token}/answers`: answers the form behind a link. */
const answerRoute = routeWithInput(ANSWER, {
  method: 'POST',
  path: `${AT}/answers`,
  title: 'Answer the form behind a link. A request repeated with the same key and content has no further effect',
  allow: 'anonymous',
  refuses: [403, 409, 410, 422, 429],
  handle: async (c) => {
    const followed = await resolveFormLink(c.engine, c.params.token)
    const { clientId, link } = followed
    const tried = await countLinkAttempt(
      c,
      clientId,
      `form-link-names:${clientId}-${link.id}`,
      'You are signed in to the portal. Please answer the form under your own account.',
    )
    const { name, company, version, answers, key } = c.input
    const given = {
      name: name?.trim() ?? '',
      company: company?.trim() ?? '',
      version: version ?? 0,
      answers,
      key: key ?? '',
    }
    return runAsHolder(c, followed, async (unit) => {
      const receipt = await saveLinkAnswer(unit, followed, given, tried)
      return async () => ({ ...(await receipt()) })
    })
  },
})

/** Routes for the holder of a link. */
const holderRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: AT,
    title: 'Get the form behind a link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await loadSharedForm(c)) }),
  },
  {
    method: 'POST',
    path: `${AT}/opened`,
    title: 'Record that the form behind a link has been opened',
    allow: 'anonymous',
    refuses: [410],
    handle: async (c) => {
      const followed = await resolveFormLink(c.engine, c.params.token)
      if (followed.sentence) throw new Problem(410, followed.sentence)
      if (followed.link.opened > 0) return {}
      return runAsHolder(c, followed, async (unit) => {
        await unit.act(formLink, 'open', followed.link.id, {})
        return () => ({})
      })
    },
  },
  linkLogoRoute(AT, 'whose form is answered', resolveFormLink),
  answerRoute,
]

/** Feature: answering a published form by link or QR code, without an account. */
export const formLinksFeature = feature({
  pack: 'safety',
  resources: [formLink],
  behaviours: [behaviour(formLink, { actions: { open: (c) => ({ set: { opened: c.row.opened + 1 } }) } })],
  routes: [...managerRoutes, ...holderRoutes],
  notifications: [answeredByLinkNotice],
})
