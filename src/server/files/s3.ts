import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { assertFileKey, type ByteRange, type FileStore, MissingFileError } from './port.ts'

const CONNECT_MS = 10_000

const isMissing = (e: unknown) => e instanceof S3ServiceException && e.$metadata.httpStatusCode === 404

/**
 * File store in an Amazon S3 bucket, or in a bucket of a compatible service. The bucket is private; clients never
 * access it directly.
 */
export class S3Store implements FileStore {
  private readonly client: S3Client
  private readonly bucket: string
  private readonly folder: string

  /**
   * `url`: `s3://bucket/folder?region=…&endpoint=…`. Without `key`, the machine's own credentials are used. Idle
   * requests time out, and redirects are rejected.
   */
  constructor(url: URL, key: { readonly id: string; readonly secret: string } | undefined, patienceMs = 60_000) {
    const endpoint = url.searchParams.get('endpoint')
    this.bucket = url.hostname
    this.folder = url.pathname.replace(/^\/|\/$/g, '')
    this.client = new S3Client({
      region: url.searchParams.get('region') ?? 'eu-west-2',
      // Other services rarely support a host name for each bucket or Amazon's newer checksums.
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
      followRegionRedirects: false,
      requestHandler: {
        connectionTimeout: Math.min(CONNECT_MS, patienceMs),
        requestTimeout: patienceMs,
        throwOnRequestTimeout: true,
        // A download may pause for as long as `requestTimeout`.
        socketTimeout: 2 * patienceMs,
      },
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(key ? { credentials: { accessKeyId: key.id, secretAccessKey: key.secret } } : {}),
    })
  }

  private at(key: string) {
    return { Bucket: this.bucket, Key: [this.folder, assertFileKey(key)].filter(Boolean).join('/') }
  }

  async put(key: string, from: Readable, bytes: number): Promise<void> {
    // Aborts the upload if the stream fails. Otherwise, the S3 client would wait indefinitely.
    const broken = new AbortController()
    from.once('error', (e) => broken.abort(e))
    const command = new PutObjectCommand({ ...this.at(key), Body: from, ContentLength: bytes })
    await this.client.send(command, { abortSignal: broken.signal })
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    try {
      const wanted = range ? { Range: `bytes=${range.start}-${range.end}` } : {}
      const answer = await this.client.send(new GetObjectCommand({ ...this.at(key), ...wanted }))
      return answer.Body as Readable
    } catch (e) {
      throw isMissing(e) ? new MissingFileError(key) : e
    }
  }

  async exists(key: string): Promise<boolean> {
    try {
      await this.client.send(new HeadObjectCommand(this.at(key)))
      return true
    } catch (e) {
      if (isMissing(e)) return false
      throw e
    }
  }

  async remove(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.at(key)))
  }
}
