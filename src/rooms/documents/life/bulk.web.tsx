import { Button } from '@mantine/core'
import { IconArchive, IconArchiveOff } from '@tabler/icons-react'
import type { DocumentKind } from '../kinds/kind.ts'
import type { DocumentRecord } from '../kinds/record.web.ts'
import { useRetire } from './retire.web.tsx'

interface Props {
  readonly kind: DocumentKind
  readonly records: readonly DocumentRecord[]
  readonly done: () => void
}

/** Puts the chosen documents away, or brings them back. */
export function BulkRetire({ kind, records, done }: Props) {
  const [dialog, retire] = useRetire(kind)
  const kept = records.filter((r) => !r.retired)
  const put = async (which: readonly DocumentRecord[], retired: boolean) => {
    if (await retire(which, retired)) done()
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconArchive size={14} aria-hidden />}
        disabled={kept.length === 0}
        onClick={() => void put(kept, true)}
      >
        Delete
      </Button>
      {kept.length < records.length && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArchiveOff size={14} aria-hidden />}
          onClick={() =>
            void put(
              records.filter((r) => r.retired),
              false,
            )
          }
        >
          Restore
        </Button>
      )}
      {dialog}
    </>
  )
}
