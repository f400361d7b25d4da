import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Collection, callApi } from '../api/client.ts'
import type { UploadedFile } from './send.ts'
import css from './uploads.module.css'

interface Props {
  readonly file: UploadedFile
  readonly onTake: (newest: UploadedFile) => void
}

/** Offers the newest version of a file, unless that version is retired. */
export function NewerVersionOffer({ file, onTake }: Props) {
  const newest = useQuery({
    queryKey: [`${file['@id']}/versions`, 'newest'],
    queryFn: ({ signal }) =>
      callApi<Collection<UploadedFile>>('GET', `${file['@id']}/versions?itemsPerPage=1`, undefined, { signal }),
    enabled: file.replaced === true,
  })
  const [found] = newest.data?.['hydra:member'] ?? []
  if (!file.replaced || !found || found.retired || found['@id'] === file['@id']) return null
  return (
    <div className={css.newer}>
      <span>{`Version ${found.version} is available. You are using version ${file.version}.`}</span>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        aria-label={`Use newer version of ${file.name}`}
        onClick={() => onTake(found)}
      >
        Use newer version
      </Button>
    </div>
  )
}
