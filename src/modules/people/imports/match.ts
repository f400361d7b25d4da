import { toSearchForm } from '#kernel/text/search.ts'
import { foldEmail } from '#kernel/validate.ts'
import { bornOn } from './row.ts'

/** Details by which a person is recognised; empty or null if they are not known. */
export interface Person {
  readonly forename: string
  readonly surname: string
  readonly email: string
  readonly payroll: string
  readonly dob: string | null
}

/** The person that a row describes, and the details that they have in common; or the reason why it is unclear. */
export type Match<P> = { readonly person: P; readonly same: string } | { readonly wrong: string }

const payrollKey = (payroll: string): string => payroll.trim().toLowerCase()
const nameKey = (name: string): string => toSearchForm(name).replace(/\s+/g, ' ').trim()
const fullName = ({ forename, surname }: Person): string => `${forename} ${surname}`
/** Returns the name in the form in which two names are compared. */
export const nameKeyOf = (person: Person): string => nameKey(fullName(person))
/** True if both values are known and differ. */
const contradicts = (a: string | null, b: string | null): boolean => Boolean(a && b && a !== b)
const isSameWord = (a: string, b: string): boolean => nameKey(a) === nameKey(b)

/** People by payroll number, e-mail address and name. */
export class PeopleIndex<P extends Person> {
  private readonly byPayroll: ReadonlyMap<string, P[]>
  private readonly byEmail: ReadonlyMap<string, P[]>
  private readonly byName: ReadonlyMap<string, P[]>

  constructor(people: readonly P[]) {
    this.byPayroll = Map.groupBy(people, ({ payroll }) => payrollKey(payroll))
    this.byEmail = Map.groupBy(people, ({ email }) => foldEmail(email))
    this.byName = Map.groupBy(people, (one) => nameKeyOf(one))
  }

  /** Returns the people that a text names: by payroll number, by e-mail address, or by name. */
  findNamed(text: string): readonly P[] {
    const [surname = '', forename] = text.split(/,\s*/, 2)
    const name = forename === undefined ? text : `${forename} ${surname}`
    return (
      this.byPayroll.get(payrollKey(text)) ??
      (text.includes('@') ? this.byEmail.get(foldEmail(text)) : undefined) ??
      this.byName.get(nameKey(name)) ??
      []
    )
  }

  /**
   * Returns the person that a row describes; `undefined` if there is none. A payroll number decides first, then an
   * e-mail address with the same forename, then the name. Another payroll number or date of birth is another person.
   */
  match(row: Person): Match<P> | undefined {
    const known = row.payroll ? (this.byPayroll.get(payrollKey(row.payroll)) ?? []) : []
    const [first] = known
    if (known.length > 1) return { wrong: `${known.length} employees have the payroll number ${row.payroll}` }
    if (first) {
      if (isSameWord(first.forename, row.forename) || isSameWord(first.surname, row.surname))
        return { person: first, same: 'Same payroll number' }
      return { wrong: `The payroll number ${row.payroll} belongs to ${fullName(first)}` }
    }
    const isOther = (one: P) =>
      contradicts(payrollKey(one.payroll), payrollKey(row.payroll)) || contradicts(one.dob, row.dob)
    const byEmail = row.email
      ? (this.byEmail.get(foldEmail(row.email)) ?? []).filter(
          (one) => !isOther(one) && isSameWord(one.forename, row.forename),
        )
      : []
    if (byEmail.length === 1) return { person: byEmail[0] as P, same: 'Same e-mail address' }
    return this.matchName(row, isOther)
  }

  private matchName(row: Person, isOther: (one: P) => boolean): Match<P> | undefined {
    const all = this.byName.get(nameKeyOf(row)) ?? []
    const candidates = all.filter((one) => !isOther(one))
    const born = candidates.filter(({ dob }) => row.dob && dob === row.dob)
    const [person, ...others] = born.length ? born : candidates
    if (person && others.length)
      return {
        wrong: `${others.length + 1} employees are named ${fullName(person)}${born.length ? bornOn(row.dob) : ''}. Add a payroll number${born.length ? '' : ', an e-mail address or a date of birth'} that tells them apart`,
      }
    if (person) return { person, same: born.length ? 'Same name and date of birth' : 'Same name' }
    const twin = all.find(({ dob }) => row.dob && dob === row.dob)
    if (!twin) return undefined
    return {
      wrong: `${fullName(twin)}${bornOn(row.dob)}, is there already with the payroll number ${twin.payroll}. If these are two people, add the second under “Add employee”`,
    }
  }
}
