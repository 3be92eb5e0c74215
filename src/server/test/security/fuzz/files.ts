import { dataUrl, hugePng, pdf } from '#server/machine-files/test/images.ts';

/** Small files for fuzzed uploads, which the portal accepts. */

export { dataUrl };

/** Returns a PNG of 8 by `height` pixels. */
export const photo = (height: number): Buffer => hugePng(8, height);

/** Returns a PDF that shows one word. */
export const pdfOfWord = (word: string): Buffer => pdf(word);

export const FUZZ_DBC = Buffer.from(`VERSION ""
BU_: BMS
BO_ 500 BMS_Status: 8 BMS
 SG_ soc1 : 0|8@1+ (0.5,0) [0|100] "%" Vector__XXX
 SG_ BMS_PackVoltage : 8|16@1+ (0.1,0) [0|1000] "V" Vector__XXX
 SG_ CelTemp : 40|8@1- (1,0) [-40|100] "degC" Vector__XXX
`);

/** Invalid data URLs, and data URLs whose content is not of the stated type. */
export const ODD_FILES: readonly string[] = [
  'data:',
  'data:;base64,',
  'data:image/png;base64,iVBORw0KGgo=',
  'data:image/png;base64,!!!!',
  'data:image/png,plain',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  dataUrl(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    'image/svg+xml',
  ),
  dataUrl(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="http://169.254.169.254/"/></svg>'),
  ),
  dataUrl(Buffer.from('GIF89a/*<script>alert(1)</script>*/=1;'), 'image/gif'),
  dataUrl(Buffer.from('%PDF-1.4\n<script>')),
  dataUrl(Buffer.concat([photo(3).subarray(0, 60), Buffer.alloc(50)]), 'image/png'),
  dataUrl(hugePng(20_000, 2_000), 'image/png'),
  dataUrl(Buffer.from('BO_ 1 A: 8 B\n SG_ x : 0|64@1+ (1e999,0) [0|0] "" C')),
  dataUrl(
    Buffer.from('BO_ 99999999999999999999 A: 9999 B\n SG_ __proto__ m99 : 999|999@9* (0,0) [a|b] "" C'),
  ),
  'file:///etc/passwd',
  'http://127.0.0.1:22/',
];
