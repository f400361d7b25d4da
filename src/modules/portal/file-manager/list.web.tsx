import { useActor } from '#web/api/me.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { PersonName } from '#web/ui/people/person-name.tsx'
import table from '#web/ui/table.module.css'
import type { UploadedFile } from '#web/uploads/send.ts'
import { UploadLabelField } from '#web/uploads/table.tsx'
import { formatFileSize, UploadName } from '#web/uploads/thumb.tsx'
import { mayChangeFile } from '../files/document-folder.ts'
import { FileActions } from './actions.web.tsx'
import type { FileTree } from './data.web.ts'
import { ExpiryChip } from './expiry-chip.web.tsx'
import css from './manager.module.css'

interface Props {
  readonly files: readonly UploadedFile[]
  readonly folders: FileTree['folders']
  readonly showFolder: boolean
  readonly onOpen: (file: UploadedFile) => void
}

/** Files with thumbnail, label, uploader and time; as cards on a phone. */
export function FileList({ files, folders, showFolder, onOpen }: Props) {
  const phone = useIsPhone()
  const actor = useActor()
  const names = new Map(folders.map(({ folder }) => [folder['@id'], folder.name ?? '']))
  const rows = files.map((file) => ({
    file,
    name: <UploadName file={file} />,
    chips: (file.version > 1 || file.expires) && (
      <span className={css.chips}>
        {file.version > 1 && <span className={css.dim}>{`Version ${file.version}`}</span>}
        <ExpiryChip file={file} />
      </span>
    ),
    label: mayChangeFile(actor, file) ? <UploadLabelField file={file} /> : <span>{file.label}</span>,
    who: <PersonName username={file.author} />,
    when: <RelativeTimeText at={file.createdAt} />,
    folder: names.get(file.folder ?? '') ?? '—',
    actions: <FileActions file={file} folders={folders} onOpen={() => onOpen(file)} />,
  }))
  if (phone)
    return (
      <ul className={table.cards} aria-label="Files">
        {rows.map(({ file, name, chips, label, who, when, folder, actions }) => (
          <li key={file.id}>
            <div className={css.cardHead}>
              {name}
              {actions}
            </div>
            {chips}
            {label}
            <span className={css.dim}>
              {who}, {when}, {formatFileSize(file.size)}
              {showFolder && file.folder && `, in ${folder}`}
            </span>
          </li>
        ))}
      </ul>
    )
  return (
    <div className={css.scroll}>
      <table className={table.table} aria-label="Files">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Label</th>
            <th scope="col">Uploaded</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ file, name, chips, label, who, when, folder, actions }) => (
            <tr key={file.id}>
              <td className={css.nameCell}>
                {name}
                {chips}
              </td>
              <td className={css.labelCell}>
                {label}
                {showFolder && file.folder && <p className={css.dim}>{`In ${folder}`}</p>}
              </td>
              <td className={css.who}>
                {who}
                <br />
                <span className={css.dim}>
                  {when}, {formatFileSize(file.size)}
                </span>
              </td>
              <td>{actions}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
