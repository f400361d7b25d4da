/** Rule of `db/reference/retention-periods.json`. */
export interface RetentionPeriod {
  readonly id: number
  readonly record: string
  /** Years from the day of the record; null if the rule ends in another way. */
  readonly keepYears: number | null
  readonly reference: string
}

/** Last day until which a record must be stored, and the rule that sets it. */
export interface Retention {
  readonly keepUntil: string
  readonly record: string
  readonly reference: string
}

/** IDs of the rules that apply to every entry, and of the rule for children. */
const ENTRY_RULES = [1, 2]
const CHILD_RULE = 3
const ADULT_AGE = 18
/** Age until which a person who was a child at the accident may claim. */
const CLAIM_AGE = 21

interface InjuredPerson {
  readonly dateOfBirth?: string | null
  readonly age?: number | null
}

/**
 * Returns the day until which the records of an incident must be stored. `recordedOn`: the day of the latest record.
 * Without a date of birth, the age on the day of the accident sets the latest possible day.
 */
export function retentionOf(
  periods: readonly RetentionPeriod[],
  recordedOn: string,
  accidentDay: string,
  people: readonly InjuredPerson[],
): Retention {
  const plain = (day: string) => Temporal.PlainDate.from(day)
  const ofEntry = periods
    .filter(({ id, keepYears }) => ENTRY_RULES.includes(id) && keepYears !== null)
    .map((rule) => ({
      rule,
      keepUntil: plain(recordedOn)
        .add({ years: rule.keepYears ?? 0 })
        .toString(),
    }))
  const childRule = periods.find(({ id }) => id === CHILD_RULE)
  const ofChildren = people.flatMap(({ dateOfBirth, age }) => {
    const isChild = dateOfBirth
      ? plain(dateOfBirth).add({ years: ADULT_AGE }).toString() > accidentDay
      : typeof age === 'number' && age < ADULT_AGE
    if (!childRule || !isChild) return []
    const keepUntil = dateOfBirth
      ? plain(dateOfBirth).add({ years: CLAIM_AGE })
      : plain(accidentDay).add({ years: CLAIM_AGE - (age ?? 0) })
    return [{ rule: childRule, keepUntil: keepUntil.toString() }]
  })
  const [last] = [...ofEntry, ...ofChildren].sort((a, b) =>
    a.keepUntil === b.keepUntil ? 0 : a.keepUntil < b.keepUntil ? 1 : -1,
  )
  if (!last) throw new Error('No retention period applies to an incident')
  return { keepUntil: last.keepUntil, record: last.rule.record, reference: last.rule.reference }
}
