import { type ComponentType, lazy } from 'react'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import type { LibraryProps } from './hazard-grid.web.tsx'
import type { ManagerProps } from './method-field.web.tsx'
import type { PpePickerProps } from './ppe-field.web.tsx'
import { riskAssessment } from './risk-assessment.ts'
import { hazardsOf } from './risk-compared.ts'

/** What the hazard library gives to an assessment's screens; each is loaded when it is first needed. */
interface Library {
  readonly HazardLibrary: () => Promise<{ HazardLibrary: ComponentType<LibraryProps> }>
  readonly PpePicker: () => Promise<{ PpePicker: ComponentType<PpePickerProps> }>
  readonly StatementManager: () => Promise<{ StatementManager: ComponentType<ManagerProps> }>
  readonly TaskTable: () => Promise<{ TaskTable: ComponentType<ManagerProps> }>
}

/** Risk assessments on the screen: a `DocumentKindWeb` of the documents room. */
export const riskWeb = (library: Library) =>
  ({
    kind: riskAssessment,
    icon: 'alert',
    plural: 'Risk assessments',
    order: 1,
    custom: {
      controls: async () => {
        const { HazardGrid } = await import('./hazard-grid.web.tsx')
        const Library = lazy(() => library.HazardLibrary().then((m) => ({ default: m.HazardLibrary })))
        return { default: (props: CustomFieldProps) => <HazardGrid {...props} Library={Library} /> }
      },
      ppe: async () => {
        const [{ PpeField }, { PpePicker }] = await Promise.all([import('./ppe-field.web.tsx'), library.PpePicker()])
        return { default: (props: CustomFieldProps) => <PpeField {...props} Picker={PpePicker} /> }
      },
      methodStatement: async () => {
        const [{ MethodField }, { StatementManager }, { TaskTable }] = await Promise.all([
          import('./method-field.web.tsx'),
          library.StatementManager(),
          library.TaskTable(),
        ])
        return {
          default: (props: CustomFieldProps) => (
            <MethodField {...props} Statements={StatementManager} Tasks={TaskTable} />
          ),
        }
      },
    },
    body: () => import('./risk-body.web.tsx'),
    compare: {
      omit: ['ppe', 'parentDocumentNumber'],
      labels: { ppeItems: 'Protective equipment' },
      rows: (field: string, rows: readonly Readonly<Record<string, unknown>>[]) =>
        field === 'controls' ? hazardsOf(rows) : rows,
    },
    moved: [
      ['/sfp/risk-assessment/beta', '/safety/risk-assessment'],
      ['/sfp/risk-assessment/beta/new', '/sfp/risk-assessment/create'],
      ['/sfp/risk-assessment/beta/copy/:slug', '/sfp/risk-assessment/copy/:slug'],
      ['/sfp/risk-assessment/beta/update/:slug', '/sfp/risk-assessment/update/:slug'],
    ],
  }) as const
