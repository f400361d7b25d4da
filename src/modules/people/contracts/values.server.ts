import { hash } from 'node:crypto'
import type { RowOf } from '#kernel/resource.ts'
import { replaceMergeFields } from '#kernel/text/merge-fields.ts'
import { type Instant, londonDate } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { formatClientAddress } from '#modules/portal/letterhead/letterhead.server.ts'
import { sanitiseHtml } from '#server/data/rich-text.ts'
import type { RecordReader } from '#server/engine/types.ts'
import { department, employee } from '../employees/employee.ts'
import { incidentSite } from '../sites/incident-site.ts'
import type { ContractTemplateVersion } from './contract-template.ts'
import { type ContractMergeValues, describeMergeFields } from './merge-fields.ts'

type Employee = RowOf<typeof employee>

/** Formats a day as in a letter, such as `1 September 2026`. */
const formatLetterDate = (day: Temporal.PlainDate): string =>
  day.toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

/** Reads the merge values of employees, by ID. */
export async function readMergeValues(
  c: RecordReader,
  clientId: number,
  people: readonly Employee[],
  { countersigner, now }: { readonly countersigner: number; readonly now: Instant },
): Promise<ReadonlyMap<number, ContractMergeValues>> {
  const idsOf = (name: 'manager' | 'department' | 'site') => [...new Set(people.flatMap((one) => one[name] ?? []))]
  const namesOf = (rows: readonly { readonly id: number; readonly name: string }[]) =>
    new Map(rows.map(({ id, name }) => [id, name]))
  const company = await c.get(client, clientId)
  const managers = namesOf(await c.find(employee, { id: [...idsOf('manager'), countersigner] }))
  const departments = namesOf(await c.find(department, { id: idsOf('department') }))
  const sites = namesOf(await c.find(incidentSite, { id: idsOf('site') }))
  const nameIn = (names: ReadonlyMap<number, string>, id: number | null) => (id === null ? '' : (names.get(id) ?? ''))
  const common = {
    company: company?.company ?? '',
    'company address': company ? formatClientAddress(company) : '',
    countersigner: nameIn(managers, countersigner),
    today: formatLetterDate(londonDate(now)),
  }
  return new Map(
    people.map((one) => [
      one.id,
      {
        ...common,
        forename: one.forename,
        surname: one.surname,
        name: one.name,
        'job title': one.jobtitlename,
        'start date': one.extCStartDate ? formatLetterDate(Temporal.PlainDate.from(one.extCStartDate)) : '',
        manager: nameIn(managers, one.manager),
        department: nameIn(departments, one.department),
        site: nameIn(sites, one.site),
        'payroll number': one.payroll,
      },
    ]),
  )
}

/** Text of a contract with its values, and the problem if an employee lacks one. */
export interface FilledContract {
  readonly body: string
  readonly problem: string
}

/** Fills in the text of a template. A missing value is a problem, never an empty gap. */
export function fillContract(
  { body }: Pick<ContractTemplateVersion, 'body'>,
  name: string,
  values: ContractMergeValues,
): FilledContract {
  const { words, missing } = replaceMergeFields(body, values, { html: true })
  const problem = missing.length ? `${name} has no ${describeMergeFields(missing)}, which the contract needs` : ''
  return { body: sanitiseHtml(words), problem }
}

/** Returns the SHA-256 of a contract as it is read and signed. */
export const contractDigest = (
  number: string,
  { title, employeeName, body }: { readonly title: string; readonly employeeName: string; readonly body: string },
): string => hash('sha256', JSON.stringify([number, title, employeeName, body]), 'hex')
