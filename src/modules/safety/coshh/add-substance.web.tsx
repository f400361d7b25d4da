import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { call } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { AddButton, ChooseList } from '#web/lists/offered/choose-list.tsx'
import css from '#web/lists/offered/offered.module.css'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { isTemplate } from '../statements/selection.ts'
import { GroupChip } from '../substances/card.web.tsx'
import { substance } from '../substances/substance.ts'
import { type Substance, SubstanceForm } from '../substances/substance-form.web.tsx'
import { snapshotOf, type Used } from './substances-used.ts'

interface Props {
  readonly opened: boolean
  /** `@id`s of the substances already added. */
  readonly chosen: readonly string[]
  readonly onAdd: (added: Used) => void
  readonly onClose: () => void
}

/** Adds substances from the library or creates a new one. Stays open so that several can be added in a row. */
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
            props.onAdd(snapshotOf(made))
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
  // Exposure limits are part of the single record only, not of the list.
  const add = (row: Substance) =>
    void call<Substance>('GET', row['@id']).then(
      (whole) => onAdd(snapshotOf(whole)),
      (e: unknown) => toast.failed(e, () => add(row)),
    )
  return (
    <ChooseList
      r={substance}
      params={{ retired: false }}
      label="Substances"
      onNew={can(actor, 'create', substance) ? { label: 'New substance', make: onNew } : undefined}
      onClose={onClose}
      draw={(one) => {
        const row = one as unknown as Substance
        return (
          <>
            <div className={css.what}>
              <strong>{row.name}</strong>
              <span>{isTemplate(row) ? 'Ready-made' : row.supplier}</span>
              <GroupChip of={row} />
            </div>
            <AddButton name={row.name} added={chosen.includes(row['@id'])} onAdd={() => add(row)} />
          </>
        )
      }}
    />
  )
}
