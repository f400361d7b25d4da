import { problem } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { parseId } from '#kernel/iri.ts'
import { hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { customForm, customFormVersion, type FormResults } from './custom-form.ts'

/** Number of months that the results cover, including the current one. */
const MONTHS = 12
/** Maximum number of sites or vehicles by which the results can be filtered. */
const MAX_SUBJECTS = 200

/**
 * Returns the questions of all versions, one per field name, with the wording of the newest version that has the
 * question. The newest version's questions come first, in order, then removed ones.
 */
export function questionsOf(schemas: readonly FormSchema[]): FormField[] {
  const byName = new Map<string, FormField>()
  for (const schema of schemas.toReversed())
    for (const field of formFieldsIn(schema)) if (!byName.has(field.name)) byName.set(field.name, field)
  return [...byName.values()]
}

/** Returns a question with the options of all versions that have it, so that former answers retain their wording. */
function withAllOptions(field: FormField, schemas: readonly FormSchema[]): FormResults['questions'][number] {
  const former = schemas.toReversed().flatMap((schema) => formFieldsIn(schema).filter((f) => f.name === field.name))
  const options = [...(field.options ?? []), ...former.flatMap((f) => f.options ?? [])]
  const byValue = new Map(options.toReversed().map((o) => [o.value, o]))
  const order = [...new Set(options.map((o) => o.value))]
  return {
    name: field.name,
    label: field.label,
    options: order.flatMap((value) => {
      const option = byValue.get(value)
      return option ? [{ value: String(value), label: option.label, means: option.means ?? null, counts: [] }] : []
    }),
  }
}

/** The last months, oldest first: `2026-11`. */
function lastMonths({ now }: Pick<RouteContext, 'now'>): string[] {
  const current = londonDate(now).toPlainYearMonth()
  return Array.from({ length: MONTHS }, (_, n) => current.subtract({ months: MONTHS - 1 - n }).toString())
}

/** SQL for the completed forms that the user may read: those of one form and, with `$4`, for one site or vehicle. */
const READ = `FROM custom_form_answer a WHERE a.client_id = $1 AND a.form_id = $2 AND ($3::text IS NULL OR a.author = $3)`
const MONTH = `to_char(a.created_at AT TIME ZONE 'Europe/London', 'YYYY-MM')`
const COUNTS = `SELECT q.key AS name, said.value, ${MONTH} AS month, count(*)::int AS count
  FROM (SELECT a.answers, a.created_at ${READ} AND ($4 = '' OR a.subject = $4) AND ${MONTH} = ANY($5)) a,
    jsonb_each(a.answers) q,
    LATERAL jsonb_array_elements_text(CASE jsonb_typeof(q.value) WHEN 'array' THEN q.value ELSE jsonb_build_array(q.value) END) said(value)
  WHERE q.key = ANY($6) GROUP BY 1, 2, 3`
const SUBJECTS = `SELECT a.subject AS name, count(*)::int AS forms ${READ} AND a.subject <> '' GROUP BY 1 ORDER BY lower(a.subject), 1 LIMIT ${MAX_SUBJECTS}`

async function countResults(c: RouteContext): Promise<FormResults> {
  const { engine, me } = c
  const id = parseId(c.params.id)
  if (id === undefined) throw problem.notFound()
  await engine.one(customForm, me, id)
  const versions = await engine.readIn(me.clientId, 'read the versions of a form', (r) =>
    r.find(customFormVersion, { form: id }),
  )
  const schemas = versions.map((v) => v.schema as FormSchema)
  const choices = questionsOf(schemas).filter((f) => (f.options ?? []).length > 0)
  const questions = choices.map((f) => withAllOptions(f, schemas))
  const months = lastMonths(c)
  // The user's own permissions apply, so people who complete forms see only the results of their own.
  const seen = [me.clientId, id, hasRole(me, DOCUMENT_AUTHOR_ROLES) ? null : me.username]
  const subject = typeof c.query.subject === 'string' ? c.query.subject : ''
  const [counts, subjects] = await engine.db.tx({ clientId: me.clientId, userId: me.userId }, async (tx) => [
    await tx.rows<{ name: string; value: string; month: string; count: number }>(COUNTS, [
      ...seen,
      subject,
      months,
      questions.map(({ name }) => name),
    ]),
    await tx.rows<{ name: string; forms: number }>(SUBJECTS, seen),
  ])
  const byKey = new Map(counts.map(({ name, value, month, count }) => [`${name}\n${value}\n${month}`, count]))
  return {
    months,
    subjects,
    questions: questions.map((q) => ({
      ...q,
      options: q.options.map((o) => ({
        ...o,
        counts: months.map((month) => byKey.get(`${q.name}\n${o.value}\n${month}`) ?? 0),
      })),
    })),
  }
}

export const formResultsRoute: Route = {
  method: 'GET',
  path: `${customForm.url}/{id}/results`,
  title: 'Count the answers to a form’s choice questions in the last twelve months, by option and month',
  allow: DOCUMENT_READER_ROLES,
  query: { subject: text({ help: 'Counts only the forms about this site or vehicle.' }) },
  handle: countResults,
}
