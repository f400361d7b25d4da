import type { DocumentTypeScreens } from '#modules/documents/types/kind.web.ts'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { substance } from '../substances/substance.ts'
import { checkCoshhCompletion } from './completion-check.ts'
import { coshhAssessment } from './coshh-assessment.ts'

export default {
  kind: coshhAssessment,
  custom: {
    substances: () => import('./substances-field.web.tsx').then((m) => ({ default: m.CoshhSubstancesField })),
    worn: () => import('./equipment-field.web.tsx').then((m) => ({ default: m.CoshhEquipmentField })),
  },
  body: () => import('./body.web.tsx'),
  beside: () => import('./library-changes.web.tsx'),
  columns: [{ key: 'substanceNames', title: 'Substances', wide: true }],
  filters: () => [{ key: 'substances.substance', label: 'Substance', target: substance }],
  check: (record) => checkCoshhCompletion(record, { today: londonToday(), showDay: formatIsoAsUkDate }),
  compare: { omit: ['substanceNames'], labels: { worn: 'Protective equipment' } },
} satisfies DocumentTypeScreens
