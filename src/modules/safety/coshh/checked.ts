import { countOf, textOf } from '#kernel/text.ts'
import type { Checked } from '#modules/documents/types/checked.ts'
import { approachName } from '../substances/banding.ts'
import { storageConflicts, unknownStorage } from '../substances/storage.ts'
import { sheetStanding } from '../substances/substance.ts'
import { wornIn } from './equipment.ts'
import { approachOf, decisionOn, levDue, proposalFor, usedIn } from './substances-used.ts'

type Values = Readonly<Record<string, unknown>>

interface Today {
  readonly today: string
  readonly showDay: (day: string) => string
}

/**
 * Points to check before completion: substances for an expert, weaker approaches than proposed, old data sheets,
 * overdue examinations.
 */
export function checkedCoshh(record: Values, { today, showDay }: Today): Checked {
  const substances = usedIn(record).map((used, i) => ({
    used,
    at: `substances[${i}]`,
    name: textOf(used.name).trim() || `Substance ${i + 1}`,
  }))
  const controls = Array.isArray(record.measures) ? record.measures.length : 0
  const due = levDue(record)
  const examined = textOf(record.levExamined).slice(0, 10)
  return {
    sums: [
      ...countOf(substances.length, 'substance'),
      ...countOf(controls, 'control'),
      ...countOf(wornIn(record.worn).length, 'piece of protective equipment', 'pieces of protective equipment'),
    ],
    looks: [
      {
        title: 'Needs an expert',
        items: substances.flatMap(({ used, at, name }) =>
          proposalFor(used).expert.length || approachOf(used) === 4
            ? [{ text: name, detail: proposalFor(used).expert.join('; '), at: `${at}.confirmed` }]
            : [],
        ),
      },
      {
        title: 'Different approach from COSHH Essentials',
        items: substances.flatMap(({ used, at, name }) =>
          decisionOn(used) === 'other'
            ? [
                {
                  text: `${name}: ${approachName(used.approach)}`,
                  detail: `“${textOf(used.reason)}”`,
                  at: `${at}.reason`,
                },
              ]
            : [],
        ),
      },
      {
        title: 'Data sheets',
        items: substances.flatMap(({ used, at, name }) => {
          const standing = sheetStanding(used, today)
          if (standing === 'good') return []
          const text =
            standing === 'old'
              ? `${name}: dated ${showDay(textOf(used.sheetDate).slice(0, 10))}`
              : `${name}: no dated data sheet`
          return [{ text, at: `${at}.sheetDate` }]
        }),
      },
      {
        title: 'To be stored apart',
        items: [
          ...storageConflicts(substances.map(({ used }) => used)).map(({ between: [one, other], why, basis }) => ({
            text: `${substances[one]?.name} and ${substances[other]?.name}`,
            detail: `${why} (${basis})`,
            at: 'storage',
          })),
          ...(substances.length > 1 ? unknownStorage(substances.map(({ used }) => used)) : []).map((at) => ({
            text: `${substances[at]?.name}: no hazard statement, so storage conflicts are not known`,
            at: 'storage',
          })),
        ],
      },
      {
        title: 'Local exhaust ventilation',
        items:
          due && (due < today || examined > today)
            ? [
                {
                  text:
                    examined > today
                      ? 'The date of the last examination is in the future'
                      : `Its examination was due by ${showDay(due)}`,
                  at: 'levExamined',
                },
              ]
            : [],
      },
    ].filter(({ items }) => items.length > 0),
  }
}
