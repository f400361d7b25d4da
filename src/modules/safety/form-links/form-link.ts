import { integer, link } from '#kernel/fields.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { resource } from '#kernel/resource.ts'
import { posterLinkFields } from '#modules/documents/signing-links/signing-link.ts'
import { customForm } from '../custom-forms/custom-form.ts'

/** Link by which people without an account answer a form on their own device. Internal to the portal. */
export const formLink = resource({
  type: 'FormLink',
  service: 'safety',
  path: 'form_links',
  table: 'form_link',
  tenant: 'own',
  order: ['-id'],
  fields: {
    form: link(() => customForm, { readonly: true, notNull: true, filter: true }),
    ...posterLinkFields,
    /** Number of answers given with the link. */
    answered: integer({ readonly: true, notNull: true, default: 0 }),
  },
  allow: { read: 'nobody' },
  pack: 'safety',
  actions: {
    open: { path: 'open', title: 'Open link', allow: 'nobody', input: {} },
  },
})

/** Number of days after its day of creation on which a link to a form still works: by default, and at most. */
export const FORM_LINK_DAYS = { usual: 90, most: 365 } as const
/** Maximum number of answers by link to one form on one day. */
export const MAX_DAILY_LINK_ANSWERS = 50

/** Returns a question with names as texts: holders of a link can't read the company's employees. */
const withTypedNames = (field: FormField): FormField => ({
  ...field,
  kind: field.kind === 'person' ? 'text' : field.kind,
  ...(field.fields && { fields: field.fields.map(withTypedNames) }),
})

/** Returns the form for answers by link: without its questions for photos and files. */
export const selectQuestionsByLink = (schema: FormSchema): FormSchema => ({
  ...schema,
  steps: schema.steps.flatMap((step) => {
    const groups = step.groups.flatMap((group) => {
      const fields = group.fields.filter(({ kind }) => kind !== 'uploads').map(withTypedNames)
      return fields.length ? [{ ...group, fields }] : []
    })
    return groups.length ? [{ ...step, groups }] : []
  }),
})

/** Returns the labels of the questions that are not asked by link. */
export const listQuestionsNotByLink = (schema: FormSchema): string[] =>
  formFieldsIn(schema).flatMap(({ kind, label }) => (kind === 'uploads' ? [label] : []))

/** Returns the reason why a form can't be answered by link; an empty string if it can. */
export function formLinkProblem(schema: FormSchema): string {
  const photo = formFieldsIn(schema).find(({ kind, required }) => kind === 'uploads' && required)
  if (photo)
    return `The form can’t be answered by link, because “${photo.label}” requires photos or files, which only people who sign in can send.`
  return selectQuestionsByLink(schema).steps.length
    ? ''
    : 'The form can’t be answered by link, because it asks only for photos or files, which only people who sign in can send.'
}

/** Form as shown to the holder of its link. */
export interface SharedForm {
  readonly '@id': string
  readonly '@type': 'SharedForm'
  readonly company: string
  readonly logo: string | null
  /** Reason why the form can't be answered with this link; empty if it can. */
  readonly sentence: string
  /** Undefined if the form can't be answered with this link. */
  readonly form?: {
    readonly title: string
    readonly notes: string
    /** ID of the newest version. */
    readonly version: number
    readonly schema: FormSchema
    /** Labels of the form's questions that are not asked by link. */
    readonly omitted: readonly string[]
    readonly until: string
  }
}

/** Receipt for an answer by link. */
export interface LinkAnswerReceipt {
  readonly '@type': 'LinkAnswer'
  /** Number of the completed form. */
  readonly number: string
  readonly name: string
  readonly createdAt: string
}

/** Answers as last sent by link. */
export interface SentAnswers {
  /** Key by which a repeated request is recognised. */
  readonly key: string
  /** The request body without the key, as JSON. */
  readonly content: string
}

/** Returns answers with their key: the former key if the same content is sent again, otherwise the new one. */
export const assignAnswerKey = (sent: SentAnswers | undefined, content: string, newKey: string): SentAnswers =>
  sent?.content === content ? sent : { key: newKey, content }
