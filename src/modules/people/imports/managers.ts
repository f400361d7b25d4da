import type { ExistingChoice } from './import.ts'
import { PeopleIndex, type Person } from './match.ts'
import { type CompanyRecords, isKnown, type KnownEmployee, type PlannedRow, personOf } from './planned-row.ts'

type Manager = KnownEmployee | PlannedRow
const nameOf = (one: Manager): string => (isKnown(one) ? one.name : one.row.name)
const MAX_QUOTED = 60

/** Finds the manager that each row names, among the employees of the company and those that the file adds. */
export function findManagers(
  planned: readonly PlannedRow[],
  { employees }: CompanyRecords,
  existing: ExistingChoice,
): void {
  const candidates = (all: readonly PlannedRow[]) =>
    all.map((row): Person & { readonly one: Manager } => ({ ...personOf(row.row), one: row }))
  const added = planned.filter(({ known }) => !known)
  const there = new PeopleIndex([
    ...employees.map((one): Person & { readonly one: Manager } => ({
      forename: one.forename,
      surname: one.surname,
      email: one.email ?? '',
      payroll: one.payroll ?? '',
      dob: one.dob,
      one,
    })),
    ...candidates(added.filter(({ wrong }) => !wrong)),
  ])
  const rejected = new PeopleIndex(candidates(added.filter(({ wrong }) => wrong)))
  const wrongs = new Map<PlannedRow, string>()
  for (const row of planned) {
    const text = row.row.named.manager
    if (text === undefined || row.wrong) continue
    const quoted = `“${text.slice(0, MAX_QUOTED)}”`
    const found = there.findNamed(text).map(({ one }) => one)
    const inService = found.filter((one) => !(isKnown(one) && one.retired))
    const [manager, ...others] = inService
    if (others.length)
      wrongs.set(row, `Manager: ${quoted} fits ${inService.length} people. Use an e-mail address or a payroll number`)
    else if (manager) setManager(row, manager, existing, wrongs)
    else if (found[0]) wrongs.set(row, `Manager: ${nameOf(found[0])} has left`)
    else {
      const [lost] = rejected.findNamed(text)
      if (lost) row.manager = lost.one
      else wrongs.set(row, `Manager: there is no employee ${quoted}`)
    }
  }
  for (const [row, wrong] of wrongs) row.wrong = wrong
}

function setManager(
  row: PlannedRow,
  manager: Manager,
  existing: ExistingChoice,
  wrongs: Map<PlannedRow, string>,
): void {
  const { known } = row
  if (manager === row || (known && isKnown(manager) && manager.id === known.id)) {
    wrongs.set(row, 'Manager: employees can’t report to themselves')
    return
  }
  const isNews = !known || !isKnown(manager) || known.manager !== manager.id
  const isWanted = !known || existing === 'replace' || (existing === 'fill' && known.manager === null)
  if (isNews && isWanted) row.manager = manager
}

/** Rejects the rows whose managers would report to them, at any distance. */
export function refuseCircles(planned: readonly PlannedRow[], { employees }: CompanyRecords): void {
  const byId = new Map(employees.map((one) => [one.id, one]))
  const rowOf = new Map(planned.flatMap((row) => (row.known && !row.wrong ? [[row.known.id, row] as const] : [])))
  const managerOf = (one: Manager): Manager | undefined => {
    const row = isKnown(one) ? rowOf.get(one.id) : one
    const planned = row && !row.wrong ? row.manager : undefined
    const stored = isKnown(one) ? one : one.known
    const next = planned ?? (stored?.manager ? byId.get(stored.manager) : undefined)
    // A row that changes an employee and the employee are one person.
    return next && !isKnown(next) && next.known ? next.known : next
  }
  for (const row of planned) {
    if (!row.manager || row.wrong) continue
    const start: Manager = row.known ?? row
    const chain: Manager[] = [start]
    const seen = new Set<Manager>(chain)
    let next = managerOf(start)
    while (next && !seen.has(next)) {
      seen.add(next)
      chain.push(next)
      next = managerOf(next)
    }
    if (next !== start) continue
    const wrong = `Manager: ${describeCircle([...chain, start])} would report to each other`
    const inCircle = new Set(chain)
    for (const one of planned) if (one.manager && !one.wrong && inCircle.has(one.known ?? one)) one.wrong = wrong
  }
}

const MAX_NAMES_IN_CIRCLE = 6

function describeCircle(chain: readonly Manager[]): string {
  const names = chain.map(nameOf)
  return names.length > MAX_NAMES_IN_CIRCLE
    ? [...names.slice(0, MAX_NAMES_IN_CIRCLE), '…'].join(' → ')
    : names.join(' → ')
}

/** Groups rows that add employees: managers are in an earlier group than the people who report to them. */
export function groupByLevel(rows: readonly PlannedRow[]): PlannedRow[][] {
  const levels = new Map<PlannedRow, number>()
  const levelOf = (row: PlannedRow): number => {
    const above: PlannedRow[] = []
    let one: PlannedRow | undefined = row
    while (one && !levels.has(one)) {
      above.push(one)
      one = one.manager && !isKnown(one.manager) && !one.manager.known ? one.manager : undefined
    }
    let level = one ? (levels.get(one) ?? 0) + 1 : 0
    for (const next of above.toReversed()) levels.set(next, level++)
    return levels.get(row) ?? 0
  }
  const groups = [...Map.groupBy(rows, levelOf)]
  return groups.toSorted(([a], [b]) => a - b).map(([, group]) => group)
}
