import { formatCountWithNoun, toText } from '#kernel/text.ts'
import type { TypeCompletionCheck } from '#modules/documents/types/completion-check.ts'
import { controlApproachLabel, parseHazardStatementCodes } from '../substances/banding.ts'
import { clpStatementText } from '../substances/labels.ts'
import { findStorageConflicts, findSubstancesWithUnknownStorage } from '../substances/storage.ts'
import { dataSheetStatus } from '../substances/substance.ts'
import { parseCoshhEquipment } from './equipment.ts'
import { COSHH_CONCLUSIONS } from './form.ts'
import {
  controlApproachDecision,
  decidedControlApproach,
  nextLevExaminationDate,
  proposeApproachForSubstanceUse,
  substanceUsesInRecord,
} from './substances-used.ts'

type Values = Readonly<Record<string, unknown>>

/** Hazard statements for sensitisers, carcinogens, mutagens and substances that harm organs over time. */
const SURVEILLANCE_STATEMENTS = 'H317 H334 H340 H341 H350 H351 H372 EUH203 EUH204 EUH205 EUH208'.split(' ')

interface Today {
  readonly today: string
  readonly showDay: (day: string) => string
}

/**
 * Returns the points to check before completion, such as substances that need an expert, approaches weaker than
 * proposed, old data sheets and overdue examinations.
 */
export function checkCoshhCompletion(record: Values, { today, showDay }: Today): TypeCompletionCheck {
  const substances = substanceUsesInRecord(record).map((used, i) => ({
    used,
    at: `substances[${i}]`,
    name: toText(used.name).trim() || `Substance ${i + 1}`,
  }))
  const controls = Array.isArray(record.measures) ? record.measures.length : 0
  const due = nextLevExaminationDate(record)
  const examined = toText(record.levExamined).slice(0, 10)
  return {
    sums: [
      ...formatCountWithNoun(substances.length, 'substance'),
      ...formatCountWithNoun(controls, 'control'),
      ...formatCountWithNoun(
        parseCoshhEquipment(record.worn).length,
        'item of protective equipment',
        'items of protective equipment',
      ),
    ],
    looks: [
      {
        title: 'Expert advice needed',
        items: substances.flatMap(({ used, at, name }) =>
          proposeApproachForSubstanceUse(used).expert.length || decidedControlApproach(used) === 4
            ? [{ text: name, detail: proposeApproachForSubstanceUse(used).expert.join('; '), at: `${at}.confirmed` }]
            : [],
        ),
      },
      {
        title: 'Approach differs from COSHH Essentials',
        items: substances.flatMap(({ used, at, name }) =>
          controlApproachDecision(used) === 'other'
            ? [
                {
                  text: `${name}: ${controlApproachLabel(used.approach)}`,
                  detail: `“${toText(used.reason)}”`,
                  at: `${at}.reason`,
                },
              ]
            : [],
        ),
      },
      {
        title: 'Health surveillance is “No”: is that right?',
        items:
          record.surveillance === 'no'
            ? substances.flatMap(({ used, name }) => {
                const codes = (used.hazardStatements ?? []).flatMap(parseHazardStatementCodes)
                const found = codes.filter((code) => SURVEILLANCE_STATEMENTS.includes(code))
                return found.length
                  ? [{ text: name, detail: found.map(clpStatementText).join('. '), at: 'surveillance' }]
                  : []
              })
            : [],
      },
      {
        title: 'Exposure is not adequately controlled yet',
        items: COSHH_CONCLUSIONS.filter(({ value }) => value === record.adequate && value !== 'yes').map(
          ({ label }) => ({ text: label, at: 'adequate' }),
        ),
      },
      {
        title: 'Data sheets',
        items: substances.flatMap(({ used, at, name }) => {
          const standing = dataSheetStatus(used, today)
          if (standing === 'good') return []
          const text =
            standing === 'old'
              ? `${name}: dated ${showDay(toText(used.sheetDate).slice(0, 10))}`
              : `${name}: no dated data sheet`
          return [{ text, at: `${at}.sheetDate` }]
        }),
      },
      {
        title: 'Store separately',
        items: [
          ...findStorageConflicts(substances.map(({ used }) => used)).map(({ between: [one, other], why, basis }) => ({
            text: `${substances[one]?.name} and ${substances[other]?.name}`,
            detail: `${why} (${basis})`,
            at: 'storage',
          })),
          ...(substances.length > 1 ? findSubstancesWithUnknownStorage(substances.map(({ used }) => used)) : []).map(
            (at) => ({
              text: `${substances[at]?.name}: no hazard statement, so storage conflicts can’t be checked`,
              at: 'storage',
            }),
          ),
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
                      : `The thorough examination was due by ${showDay(due)}`,
                  at: 'levExamined',
                },
              ]
            : [],
      },
    ].filter(({ items }) => items.length > 0),
  }
}
