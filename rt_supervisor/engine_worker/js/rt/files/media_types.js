// @ts-check
'use strict';
// Owns: media types by file extension, for RT.file(...).type.

const { mapOf } = require('internal/collections');
const {
  ArrayFlatMap,
  ArrayMap,
  MapGet,
  ObjectEntries,
  RegExpExec,
  StringSplit,
  StringToLowerCase,
} = require('internal/primordials');
const UTF8 = ';charset=utf-8';
const UNKNOWN = 'application/octet-stream';

// Each type and its extensions.
const GROUPS = {
  __proto__: null,
  [`text/javascript${UTF8}`]: 'js mjs cjs jsx ts tsx mts cts',
  [`application/json${UTF8}`]: 'json map',
  [`text/html${UTF8}`]: 'html htm',
  [`text/css${UTF8}`]: 'css',
  [`text/plain${UTF8}`]: 'txt text log ini conf',
  'application/json5': 'json5',
  'application/xhtml+xml': 'xhtml',
  'text/x-scss': 'scss',
  'text/less': 'less',
  'application/xml': 'xml',
  'application/xslt+xml': 'xsl',
  'application/rss+xml': 'rss',
  'application/atom+xml': 'atom',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/markdown': 'md markdown',
  'text/mdx': 'mdx',
  'image/png': 'png',
  'image/jpeg': 'jpg jpeg jpe',
  'image/gif': 'gif',
  'image/svg+xml': 'svg svgz',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/apng': 'apng',
  'image/x-ms-bmp': 'bmp',
  'image/tiff': 'tif tiff',
  'image/x-icon': 'ico',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/vnd.adobe.photoshop': 'psd',
  'application/pdf': 'pdf',
  'application/wasm': 'wasm',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'application/x-bzip2': 'bz2',
  'application/x-xz': 'xz',
  'application/x-7z-compressed': '7z',
  'application/x-rar-compressed': 'rar',
  'application/x-tar': 'tar',
  'audio/mpeg': 'mp3',
  'audio/x-m4a': 'm4a',
  'audio/ogg': 'ogg oga opus',
  'audio/x-wav': 'wav',
  'audio/x-flac': 'flac',
  'audio/x-aac': 'aac',
  'audio/midi': 'mid midi',
  'video/mp4': 'mp4',
  'video/x-m4v': 'm4v',
  'video/webm': 'webm',
  'video/ogg': 'ogv',
  'video/quicktime': 'mov',
  'video/x-msvideo': 'avi',
  'video/x-matroska': 'mkv',
  'video/mpeg': 'mpeg mpg',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'application/vnd.ms-fontobject': 'eot',
  'application/toml': 'toml',
  'text/yaml': 'yaml yml',
  'application/x-sh': 'sh',
  'text/x-c': 'c h cpp',
  'text/x-lua': 'lua',
  'text/x-java-source': 'java',
  'application/x-httpd-php': 'php',
  'application/x-perl': 'pl',
  'application/x-sql': 'sql',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'text/rtf': 'rtf',
  'application/epub+zip': 'epub',
  'text/calendar': 'ics',
  'text/x-vcard': 'vcf',
  'message/rfc822': 'eml',
  'application/manifest+json': 'webmanifest',
  'text/cache-manifest': 'manifest',
  'application/x-x509-ca-cert': 'der pem crt',
  'application/java-archive': 'jar war',
  'application/postscript': 'ai eps ps',
  'application/x-tex': 'tex',
  'application/x-msdownload': 'exe dll',
  'application/x-iso9660-image': 'iso',
  'application/x-apple-diskimage': 'dmg',
};
let types;

function typeOf(path) {
  const match = RegExpExec(/[^/]\.([^./]+)$/, path);
  const extension = match === null ? undefined : StringToLowerCase(match[1]);
  if (extension === undefined) return UNKNOWN;
  types ??= mapOf(
    ArrayFlatMap(ObjectEntries(GROUPS), ({ 0: type, 1: extensions }) =>
      ArrayMap(StringSplit(extensions, ' '), (each) => [each, type]),
    ),
  );
  return MapGet(types, extension) ?? UNKNOWN;
}

module.exports = { typeOf, UNKNOWN };
