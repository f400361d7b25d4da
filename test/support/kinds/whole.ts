import type { DocumentKind } from '#rooms/documents/kinds/kind.ts'
import { complete } from '../assessments.ts'

const WHOLE: Readonly<Record<string, Record<string, unknown>>> = {
  risk_assessment: complete(),
  method_statement: {
    description: 'Roof repairs',
    location: 'Unit 4',
    supervisor: 'Rhys Ellis',
    sequence: [{ title: 'Arrive and sign in' }],
  },
  toolbox_talk: { title: 'Ladders', points: [{ text: 'Check the feet' }] },
}

/** A body of a kind that can be completed; of a kind that is not known here, its title says enough. */
export const wholeOf = ({ kind, title }: DocumentKind): Record<string, unknown> =>
  WHOLE[kind] ?? { [title.field]: 'Words' }
