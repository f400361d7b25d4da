import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import { toText } from '#kernel/text.ts'
import { useActor } from '#web/api/me.ts'
import { useSaveRecord } from '#web/api/resources.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { ChooserAddButton, RecordChooserDialog } from '#web/lists/chooser/record-chooser.tsx'
import css from '#web/lists/offered/offered.module.css'
import { ErrorText } from '#web/ui/error-text.tsx'
import { toast } from '#web/ui/toast.ts'
import type { LibraryItem } from '../statements/item-dialog.web.tsx'
import { LibraryItemManager } from '../statements/item-manager.web.tsx'
import { splitRichText } from '../statements/paragraphs.ts'
import { useLibrarySnapshotLoader } from '../statements/use-chosen.web.ts'
import { allPolicyArrangements, policyArrangement } from './arrangement.ts'
import { toPolicyArrangementRow } from './rows.ts'

interface Props {
  readonly opened: boolean
  /** Titles of the arrangements already chosen. */
  readonly chosen: readonly string[]
  readonly onAdd: (made: LibraryItem) => void
  readonly onClose: () => void
}

/**
 * Dialog to find any of the provider's arrangements, whether shared or not. Adding an arrangement creates the client's
 * own copy.
 */
function FindArrangementsDialog({ opened, chosen, onAdd, onClose }: Props) {
  const save = useSaveRecord(policyArrangement)
  const add = async (title: string, description: string) => {
    try {
      onAdd((await save.mutateAsync({ values: { title, description, keepBoth: true } })) as LibraryItem)
    } catch (e) {
      toast.failed(e, () => void add(title, description))
    }
  }
  return (
    <RecordChooserDialog
      opened={opened}
      onClose={onClose}
      title="Find more arrangements"
      r={allPolicyArrangements}
      params={{ retired: false }}
      label="Arrangements"
      draw={(row) => {
        const [title, description] = [toText(row.title), toText(row.description)]
        return (
          <>
            <div className={css.what}>
              <strong>{title}</strong>
              <span>{splitRichText(description).join(' ')}</span>
            </div>
            <ChooserAddButton name={title} added={chosen.includes(title)} onAdd={() => void add(title, description)} />
          </>
        )
      }}
    />
  )
}

type Row = ReturnType<typeof toPolicyArrangementRow>

/** Returns the key of a row: the library entry or, if there is none, the position. */
const nameOf = (row: Row, i: number) => row.arrangement || `#${i}`

/** Field for a policy's arrangements, chosen from the library. Each arrangement is copied with its current text. */
export function PolicyArrangementsField({ field, value, onChange, readOnly, error, read }: CustomFieldProps) {
  const actor = useActor()
  const [finding, setFinding] = useState(false)
  const rows = toRowObjects(value) as readonly Row[]
  // Reads the current rows, because the selection may have changed before the library responds.
  const now = () => toRowObjects(read(field.name)) as readonly Row[]
  const names = rows.map(nameOf)
  const chosen = useLibrarySnapshotLoader<LibraryItem>()
  const kept = (all: readonly Row[]): LibraryItem[] =>
    all.map((row, i) => ({
      '@id': nameOf(row, i),
      id: -1 - i,
      title: row.title,
      text: row.text,
      client: undefined as never,
      retired: false,
    }))
  const choose = (iris: readonly string[]) =>
    void chosen(kept(now()), iris).then(
      (found) => {
        const was = now()
        const next = found.map(
          (one) => was.find((row, i) => nameOf(row, i) === one['@id']) ?? toPolicyArrangementRow(one),
        )
        onChange(next.toSorted((a, b) => toText(a.title).localeCompare(toText(b.title), 'en-GB')))
      },
      (e: unknown) => toast.failed(e, () => choose(iris)),
    )
  const add = (item: LibraryItem) => choose([...now().map(nameOf), item['@id']])
  return (
    <>
      {error && <ErrorText>{error}</ErrorText>}
      <LibraryItemManager
        resource={policyArrangement}
        things="arrangements"
        thing="Arrangement"
        withTemplates
        kept={kept(rows)}
        value={names}
        readOnly={readOnly}
        onChange={choose}
        onChanged={(item) =>
          onChange(now().map((row) => (row.arrangement === item['@id'] ? toPolicyArrangementRow(item) : row)))
        }
        more={
          can(actor, 'read', allPolicyArrangements) && (
            <Button
              variant="default"
              leftSection={<IconSearch size={16} aria-hidden />}
              onClick={() => setFinding(true)}
            >
              Find More
            </Button>
          )
        }
      />
      <FindArrangementsDialog
        opened={finding}
        chosen={rows.map(({ title }) => title)}
        onAdd={add}
        onClose={() => setFinding(false)}
      />
    </>
  )
}
