import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { RowsTable } from '#web/lists/rows-table.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import layout from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import type { StoredFile } from '#web/uploads/send.ts'
import { UploadedFileLink } from '#web/uploads/thumb.tsx'
import { CHECK_RESULTS, type EquipmentCheck, equipmentCheck, type RequiredCheck, requiredCheck } from './check.ts'
import { FitnessChip } from './fitness-chip.web.tsx'
import { describeInterval } from './intervals.ts'
import { type EquipmentItem, type Fitness, isPresent } from './item.ts'

const CheckDialog = lazyComponent(() => import('./check-dialog.web.tsx'))
const RequiredCheckDialog = lazyComponent(() => import('./required-check-dialog.web.tsx'))
const ReportDialog = lazyComponent(async () => ({ default: (await import('./report-dialog.web.tsx')).ReportDialog }))
const CorrectionDialog = lazyComponent(async () => ({
  default: (await import('./report-dialog.web.tsx')).CorrectionDialog,
}))

type Opened =
  | { readonly what: 'check' | 'report' | 'change'; readonly required: RequiredCheck }
  | { readonly what: 'add' }
  | { readonly what: 'correct'; readonly check: EquipmentCheck }

interface Props {
  readonly item: EquipmentItem
  readonly onChanged: () => void
}

/** Required checks of an item with their law and next day, and the checks that took place. */
export function ChecksSection({ item, onChanged }: Props) {
  const actor = useActor()
  const [open, setOpen] = useState<Opened>()
  const close = () => setOpen(undefined)
  const required = useList(requiredCheck, { item: item['@id'], retired: false, itemsPerPage: 100 }).data
  const done = useList(equipmentCheck, { item: item['@id'], itemsPerPage: 50 }).data
  const manages = can(actor, 'create', requiredCheck)
  if (!required || !done) return <LoadingRows rows={4} />
  return (
    <>
      <section className={layout.card} aria-label="Required checks">
        <h2>Required checks</h2>
        <RowsTable
          label="Required checks"
          heads={['Check', 'Interval', 'Next due', 'Status', 'Actions']}
          empty="No checks required yet"
          actions={
            manages && (
              <Button
                variant="default"
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() => setOpen({ what: 'add' })}
              >
                Add a required check
              </Button>
            )
          }
          rows={required['hydra:member'].map((one) => ({
            key: one.id,
            words: one.name,
            cells: [
              <div key="name">
                {one.name}
                {one.category && (
                  <Text size="sm" c="dimmed">
                    {one.category.reference}
                  </Text>
                )}
              </div>,
              describeInterval(one),
              one.nextHours === null || one.nextHours === undefined
                ? formatIsoAsUkDate(one.nextOn)
                : `At ${one.nextHours} hours of use`,
              one.state ? <FitnessChip key="state" fitness={one.state as Fitness} /> : '',
              <div key="actions" className={layout.buttons}>
                {isPresent(item.lifecycle) && (
                  <Button
                    aria-label={`Record a check: ${one.name}`}
                    onClick={() => setOpen({ what: 'check', required: one })}
                  >
                    Record a check
                  </Button>
                )}
                {manages && isPresent(item.lifecycle) && (
                  <Button
                    variant="default"
                    aria-label={`Add a report: ${one.name}`}
                    onClick={() => setOpen({ what: 'report', required: one })}
                  >
                    Add a report
                  </Button>
                )}
                {manages && (
                  <Button
                    variant="default"
                    aria-label={`Change: ${one.name}`}
                    onClick={() => setOpen({ what: 'change', required: one })}
                  >
                    Change
                  </Button>
                )}
              </div>,
            ],
          }))}
        />
      </section>
      <section className={layout.card} aria-label="Checks">
        <h2>Checks</h2>
        <RowsTable
          label="Checks"
          heads={['Date', 'Check', 'Result', 'Examined by', 'Recorded by', 'Actions']}
          empty="No checks recorded yet"
          rows={done['hydra:member'].map((one) => ({
            key: one.id,
            words: `${one.checkedOn} ${one.defects}`,
            cells: [
              formatIsoAsUkDate(one.checkedOn),
              <div key="check">
                {one.requiredCheck?.name ?? (one.result === 'failed' ? 'Defect' : 'After a repair')}
                {one.defects && <Text size="sm">{one.defects}</Text>}
                {one.immediateDanger && (
                  <Text size="sm" fw={600}>
                    Immediate danger: a copy of the report goes to the enforcing authority (LOLER 1998 reg 10).
                  </Text>
                )}
                {one.reason && <Text size="sm">{`Correction: ${one.reason}`}</Text>}
                {one.report?.url && <UploadedFileLink file={one.report as unknown as StoredFile} />}
                {one.keepUntil && (
                  <Text size="sm" c="dimmed">{`Stored at least until ${formatIsoAsUkDate(one.keepUntil)}`}</Text>
                )}
              </div>,
              <ResultChip key="result" check={one} />,
              one.examiner,
              <PersonName key="author" username={one.author} />,
              manages && !one.replaced && (
                <Button
                  key="correct"
                  variant="default"
                  aria-label={`Correct the check of ${formatIsoAsUkDate(one.checkedOn)}`}
                  onClick={() => setOpen({ what: 'correct', check: one })}
                >
                  Correct
                </Button>
              ),
            ],
          }))}
        />
      </section>
      {open?.what === 'check' && (
        <CheckDialog item={item} required={open.required} onClose={close} onSaved={onChanged} />
      )}
      {open?.what === 'report' && (
        <ReportDialog item={item} required={open.required} onClose={close} onSaved={onChanged} />
      )}
      {(open?.what === 'add' || open?.what === 'change') && (
        <RequiredCheckDialog
          item={item}
          record={open.what === 'change' ? open.required : undefined}
          onClose={close}
          onSaved={onChanged}
        />
      )}
      {open?.what === 'correct' && <CorrectionDialog check={open.check} onClose={close} onSaved={onChanged} />}
    </>
  )
}

function ResultChip({ check: { result, replaced } }: { readonly check: EquipmentCheck }) {
  if (replaced) return <StatusChip>Corrected</StatusChip>
  const meaning = result === 'passed' ? 'safe' : result === 'failed' ? 'stop' : 'plain'
  return (
    <StatusChip meaning={meaning}>{CHECK_RESULTS.find(({ value }) => value === result)?.label ?? result}</StatusChip>
  )
}
