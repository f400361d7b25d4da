import { NewerVersion } from './newer-version.tsx'
import type { UploadedFile } from './send.ts'
import { useFiles } from './table.tsx'

interface Props {
  readonly iri: string
  readonly onTake: (newest: UploadedFile) => void
}

/** Says of a file that is known by its address alone that it has a newer version, and takes that by one press. */
export function NewerVersionOf({ iri, onTake }: Props) {
  const [one] = useFiles([iri])
  return one?.file ? <NewerVersion file={one.file} onTake={onTake} /> : null
}
