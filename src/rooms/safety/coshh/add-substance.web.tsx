import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { call } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { PagedRows } from '#web/lists/paged-rows.tsx'
import { SearchBox } from '#web/lists/search-box.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { say } from '#web/ui/say.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { isTemplate } from '../statements/selection.ts'
import { GroupChip } from '../substances/card.web.tsx'
import { substance } from '../substances/substance.ts'
import { type Substance, SubstanceForm } from '../substances/substance-form.web.tsx'
import css from './coshh.module.css'
import { snapshotOf, type Used } from './substances-used.ts'

const SIZE = 10

interface Props {
  readonly opened: boolean
  /** Addresses of those that are there already. */
  readonly chosen: readonly string[]
  readonly onAdd: (added: Used) => void
  readonly onClose: () => void
}

/** Chooses substances of the library, or makes a new one; it stays open, as several are added one after the other. */
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
  const [q, setQ] = useState('')
  const [page, setPage] = useState(1)
  const list = useList(substance, { retired: false, q, page, itemsPerPage: SIZE })
  // What its limits are is sent with one record only.
  const add = (row: Substance) =>
    void call<Substance>('GET', row['@id']).then(
      (whole) => onAdd(snapshotOf(whole)),
      (e: unknown) => say.failed(e, () => add(row)),
    )
  return (
    <>
      <div className={css.field}>
        <SearchBox
          label="Search"
          value={q}
          keys={false}
          onChange={(typed) => {
            setPage(1)
            setQ(typed)
          }}
        />
        <PagedRows
          list={list}
          page={page}
          size={SIZE}
          onPage={setPage}
          empty={
            <EmptyState title="Nothing found">
              {can(actor, 'create', substance)
                ? 'Try other words, or make a new substance from its data sheet.'
                : 'Try other words.'}
            </EmptyState>
          }
        >
          {(rows) => (
            <ul className={css.found} aria-label="Substances">
              {rows.map((row) => (
                <li key={row.id}>
                  <div className={css.what}>
                    <strong>{row.name}</strong>
                    <span className={css.quiet}>{isTemplate(row) ? 'System template' : row.supplier}</span>
                    <GroupChip of={row} />
                  </div>
                  <Button
                    size="compact-md"
                    leftSection={<IconPlus size={16} aria-hidden />}
                    aria-label={`Add ${row.name}`}
                    disabled={chosen.includes(row['@id'])}
                    onClick={() => add(row)}
                  >
                    {chosen.includes(row['@id']) ? 'Added' : 'Add'}
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </PagedRows>
      </div>
      <DialogActions>
        {can(actor, 'create', substance) && (
          <Button variant="default" onClick={() => onNew(q.trim())}>
            New substance
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </>
  )
}
