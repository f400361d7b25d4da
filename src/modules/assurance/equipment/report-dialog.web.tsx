import { Text } from '@mantine/core'
import { useState } from 'react'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { createFileInput } from '#web/uploads/file-input.tsx'
import { type EquipmentCheck, equipmentCheck, type RequiredCheck } from './check.ts'
import { type EquipmentItem, equipmentFile } from './item.ts'

const GROUPS = [
  { title: 'Result', fields: ['checkedOn', 'result', 'defects', 'immediateDanger', 'repairs', 'repairBy', 'nextBy'] },
  { title: 'Examination', fields: ['examination', 'installedCorrectly', 'employer', 'premises', 'tests', 'hours'] },
  {
    title: 'Report',
    fields: ['report', 'reportedOn', 'examiner', 'examinerAddress', 'qualification', 'authenticator'],
  },
] as const

interface ReportProps {
  readonly item: EquipmentItem
  readonly required: RequiredCheck | undefined
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Records the report of an external examiner, with the particulars of LOLER 1998, Schedule 1. */
export function ReportDialog({ item, required, onClose, onSaved }: ReportProps) {
  const [report] = useState(() =>
    createFileInput({ label: 'Report', to: `${item['@id']}/files`, resource: equipmentFile }),
  )
  return (
    <Dialog opened onClose={onClose} title={`Report of an external examiner: ${item.name}`} size="46rem">
      <ResourceForm
        resource={equipmentCheck}
        fields={GROUPS.flatMap(({ fields }) => [...fields])}
        groups={GROUPS}
        extra={{ item: item['@id'], source: 'report', ...(required ? { requiredCheck: required['@id'] } : {}) }}
        inputs={{ report }}
        wide={['defects', 'immediateDanger', 'repairs', 'report', 'tests']}
        decided
        action="Record the report"
        done={() => 'The report is recorded'}
        onCancel={onClose}
        onSaved={() => {
          onSaved()
          onClose()
        }}
      />
    </Dialog>
  )
}

interface CorrectionProps {
  readonly check: EquipmentCheck
  readonly onClose: () => void
  readonly onSaved: () => void
}

/** Corrects a check by a further one. A failed check stays failed. */
export function CorrectionDialog({ check, onClose, onSaved }: CorrectionProps) {
  const { result, checkedOn, defects, immediateDanger, hours, repairs, repairBy, nextBy } = check
  const particulars = {
    source: check.source,
    examiner: check.examiner,
    examinerAddress: check.examinerAddress,
    qualification: check.qualification,
    authenticator: check.authenticator,
    reportedOn: check.reportedOn,
    employer: check.employer,
    premises: check.premises,
    examination: check.examination,
    installedCorrectly: check.installedCorrectly,
    tests: check.tests,
    report: check.report?.['@id'] ?? null,
    answer: check.answer,
  }
  return (
    <Dialog opened onClose={onClose} title="Correct a check">
      <Text size="sm" mb="sm">
        The check remains, marked as corrected. A failed check stays failed: record a passed one to return the item to
        service.
      </Text>
      <ResourceForm
        resource={equipmentCheck}
        fields={[
          'checkedOn',
          'result',
          'defects',
          'immediateDanger',
          'hours',
          'repairs',
          'repairBy',
          'nextBy',
          'reason',
        ]}
        defaults={{ result, checkedOn, defects, immediateDanger, hours, repairs, repairBy, nextBy }}
        extra={{
          ...particulars,
          item: check.item['@id'],
          requiredCheck: check.requiredCheck?.['@id'] ?? null,
          replaces: check['@id'],
        }}
        wide={['defects', 'immediateDanger', 'repairs', 'reason']}
        decided
        action="Record correction"
        done={() => 'The correction is recorded'}
        onCancel={onClose}
        onSaved={() => {
          onSaved()
          onClose()
        }}
      />
    </Dialog>
  )
}
