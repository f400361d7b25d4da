import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { ChooserAddButton, RecordChooser } from '#web/lists/chooser/record-chooser.tsx'
import css from '#web/lists/offered/offered.module.css'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { isSystemTemplate } from '../statements/selection.ts'
import { HazardGroupChip } from '../substances/card.web.tsx'
import { substance } from '../substances/substance.ts'
import { SubstanceForm, type SubstanceRecord } from '../substances/substance-form.web.tsx'
import { type SubstanceUse, substanceSnapshot } from './substances-used.ts'

interface Props {
  readonly opened: boolean
  /** `@id`s of the substances already added. */
  readonly chosen: readonly string[]
  readonly onAdd: (added: SubstanceUse) => void
  readonly onClose: () => void
}

/**
 * Dialog to add substances from the library or to create new ones. The dialog stays open, so that several substances
 * can be added.
 */
export function AddSubstanceDialog({ opened, onClose, ...props }: Props) {
  const [naming, setNaming] = useState<string>()
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onReset={() => setNaming(undefined)}
      size="56rem"
      title={naming === undefined ? 'Add a substance' : 'New substance'}
    >
      {naming === undefined ? (
        <Choose {...props} onNew={setNaming} onClose={onClose} />
      ) : (
        <SubstanceForm
          name={naming}
          onCancel={() => setNaming(undefined)}
          onSaved={(made) => {
            props.onAdd(substanceSnapshot(made))
            setNaming(undefined)
          }}
        />
      )}
    </Dialog>
  )
}

interface ChooseProps extends Omit<Props, 'opened'> {
  readonly onNew: (name: string) => void
}

function Choose({ chosen, onAdd, onNew, onClose }: ChooseProps) {
  const actor = useActor()
  // Loads the single record, because list items don't include the exposure limits.
  const add = (row: SubstanceRecord) =>
    void callApi<SubstanceRecord>('GET', row['@id']).then(
      (whole) => onAdd(substanceSnapshot(whole)),
      (e: unknown) => toast.failed(e, () => add(row)),
    )
  return (
    <RecordChooser
      r={substance}
      params={{ retired: false }}
      label="Substances"
      onNew={can(actor, 'create', substance) ? { label: 'New substance', make: onNew } : undefined}
      onClose={onClose}
      draw={(one) => {
        const row = one as unknown as SubstanceRecord
        return (
          <>
            <div className={css.what}>
              <strong>{row.name}</strong>
              <span>{isSystemTemplate(row) ? 'Ready-made' : row.supplier}</span>
              <HazardGroupChip of={row} />
            </div>
            <ChooserAddButton name={row.name} added={chosen.includes(row['@id'])} onAdd={() => add(row)} />
          </>
        )
      }}
    />
  )
}
